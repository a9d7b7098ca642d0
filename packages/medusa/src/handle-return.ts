import { codeOf, confirmOnReturn, type Payment, type PaymentStatus, verifyPayment, watchPayment } from "@tillkit/core";
import type { CheckoutRuntime } from "./runtime/open-runtime.ts";
import { completeCart } from "./store/cart-session.ts";
import { paidByOf } from "./store/paid-by.ts";
import { readCollection } from "./store/payment-collection.ts";

/**
 * The answer for a shopper who returned from the hosted page. `paid`: the order exists. `waiting`: no payment yet, or the
 * order is being placed; ask again in two seconds. `held`: a payment was received and is being checked. `expired`: the hosted
 * page expired; a late payment still counts. `refunded`: the payment was refunded. `unknown`: the link is invalid or too old.
 */
export type ReturnAnswer = {
  readonly status: "paid" | "waiting" | "held" | "expired" | "refunded" | "unknown";
  readonly order_id: string | null;
};

/**
 * The token identifies the payment, so the shopper may return in any browser, without the cart's cookie. The first request
 * confirms the payment with a short deadline. Repeated requests read the ledger, and confirm when a check is due.
 */
export async function handleReturn(
  runtime: CheckoutRuntime,
  token: string,
  { isRepeated }: { readonly isRepeated: boolean },
): Promise<ReturnAnswer> {
  const reading = runtime.returnTokens.read("return", token);
  const payment = reading.status === "valid" ? await runtime.ledger.find({ id: reading.value }) : null;
  if (!payment) return { status: "unknown", order_id: null };
  const status = isRepeated
    ? await watchPayment(runtime.engine, payment.id)
    : await confirmOnReturn(runtime.engine, payment.id);
  const answer = await answerOf(runtime, status);
  runtime.debug("return.answered", { paymentId: payment.id, state: status.payment.state, status: answer.status });
  // A lease that outlived its process delays our own write by seconds. Medusa's completion needs no lease of ours.
  if (answer.status !== "waiting" || !isLeased(status)) return answer;
  await completeOwnCart(runtime, status.payment);
  return await answerOf(runtime, { ...status, status: "recording" });
}

// Another holder of the order's lease delays our write: the order is being recorded, or is tried again at a time.
function isLeased(status: PaymentStatus & { readonly retryAt?: number | null }): boolean {
  return status.status === "recording" || (status.retryAt ?? null) !== null;
}

async function completeOwnCart({ engine, container, log }: CheckoutRuntime, { id, ref }: Payment): Promise<void> {
  try {
    const { status } = await verifyPayment(engine, id);
    const cartId = (await readCollection(container, ref.orderId))?.cartId ?? null;
    if (status !== "paid" || cartId === null) return;
    await completeCart(container, cartId);
  } catch (error) {
    // The job of this payment completes the cart later.
    log.info("return.completion_failed", { paymentId: id, code: codeOf(error) });
  }
}

async function answerOf({ container }: CheckoutRuntime, { status, payment }: PaymentStatus): Promise<ReturnAnswer> {
  if (status === "held" || status === "expired" || status === "refunded") return { status, order_id: null };
  const collection = status === "waiting" ? null : await readCollection(container, payment.ref.orderId);
  // After a duplicate payment the order is paid by another payment, and it is still this shopper's order.
  const isPaid = collection !== null && paidByOf(collection) !== null;
  return isPaid ? { status: "paid", order_id: collection.orderId } : { status: "waiting", order_id: null };
}
