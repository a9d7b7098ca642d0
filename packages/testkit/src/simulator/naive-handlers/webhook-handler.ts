import { parseEvent, verifyWebhook } from "@tillkit/client/webhooks";
import { CheckoutError, type Engine, type IncomingWebhook, type Payment } from "@tillkit/core";
import { createApp, type SimulatedApp } from "../simulated-app.ts";

type Handler = (engine: Engine, payment: Payment, eventId: string) => Promise<void>;

export type NaivePlugin = {
  /** Handles a signed success event. An error is answered with 500, and the service retries. */
  readonly onEvent: Handler;
  /** Handles the shopper's return from the hosted page. */
  readonly onReturn: Handler;
};

/** Creates an app that opens sessions like our engine, and marks orders paid in its webhook handler and on its return page. */
export function handleInWebhook(engine: Engine, { onEvent, onReturn }: NaivePlugin): SimulatedApp {
  return {
    ...createApp(engine),
    // A naive plugin has no scheduled jobs. The worker waits for this promise, which never resolves, instead of polling.
    runDue: () => new Promise(() => {}),
    watch: doNothing,
    view: async () => null,
    refund: () => Promise.reject(new CheckoutError("refund_not_possible", "Naive handlers do not refund.")),
    receive: async (webhook) => ({ status: await answer(engine, webhook, onEvent) }),
    returnFromPayment: async (paymentId) => {
      const payment = await engine.ledger.find({ id: paymentId });
      if (payment) await onReturn(engine, payment, `return of ${paymentId}`);
    },
  };
}

async function answer(engine: Engine, { endpointId, bytes, signature }: IncomingWebhook, onEvent: Handler) {
  const endpoint = await engine.tenants.endpoint(endpointId);
  if (!endpoint || !verifyWebhook({ bytes, signature, secrets: endpoint.secrets })) return 401;
  const event = parseEvent(bytes);
  if (event?.event !== "PAYMENT_SUCCEEDED" || event.sessionId === undefined) return 200;
  try {
    const payment = await engine.ledger.find({ sessionId: event.sessionId });
    if (payment) await onEvent(engine, payment, event.id ?? "");
    return 200;
  } catch {
    return 500;
  }
}

export async function doNothing(): Promise<void> {}

/** Marks the order paid, whatever its current total. */
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
