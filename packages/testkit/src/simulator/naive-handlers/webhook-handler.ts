import { readEvent, verifyWebhook } from "@tillkit/client/webhooks";
import { CheckoutError, type Engine, type IncomingWebhook, type Payment } from "@tillkit/core";
import { createApp, type SimulatedApp } from "../simulated-app.ts";

/** What a plugin does at once when a signed "paid" comes in; an error is answered 500, and the service sends it again. */
export type OnPaid = (engine: Engine, payment: Payment, eventId: string) => Promise<void>;

/** Opens sessions as we do, and does everything else inside the webhook handler and on the return page. */
export function handleInWebhook(engine: Engine, onPaid: OnPaid, onReturn: OnPaid = onPaid): SimulatedApp {
  const doNothing = async () => {};
  return {
    ...createApp(engine),
    // Nobody looks later.
    runDue: () => new Promise(() => {}),
    watch: doNothing,
    accept: doNothing,
    refundReview: doNothing,
    refund: () => Promise.reject(new CheckoutError("refund_not_possible", "Nobody refunds here.")),
    receive: async (webhook) => ({ status: await answer(engine, webhook, onPaid) }),
    returnFromPayment: async (paymentId) => {
      const payment = await engine.ledger.find({ id: paymentId });
      if (payment) await onReturn(engine, payment, `return of ${paymentId}`);
    },
  };
}

async function answer(engine: Engine, { endpointId, bytes, signature }: IncomingWebhook, onPaid: OnPaid) {
  const endpoint = await engine.tenants.endpoint(endpointId);
  if (!endpoint || !verifyWebhook({ bytes, signature, secrets: endpoint.secrets })) return 401;
  const event = readEvent(bytes);
  if (event?.event !== "PAYMENT_SUCCEEDED" || event.sessionId === undefined) return 200;
  try {
    const payment = await engine.ledger.find({ sessionId: event.sessionId });
    if (payment) await onPaid(engine, payment, event.id ?? "");
    return 200;
  } catch {
    return 500;
  }
}

/** Marks the order paid, whatever it costs now. */
export async function markPaid(engine: Engine, payment: Payment): Promise<void> {
  const store = await engine.store(payment.ref.storeId);
  const order = await store.findOrder(payment.ref, payment.attempt);
  if (!order || order.paidBy !== null || payment.session === null) return;
  await store.markPaid({
    paymentId: payment.id,
    ref: payment.ref,
    attempt: payment.attempt,
    sessionId: payment.session.id,
    transactionId: null,
    paid: payment.amountDue,
    total: order.total,
    environment: payment.environment,
    fence: 1,
  });
}
