import {
  changedMeanwhile,
  codeOf,
  confirmPayment,
  type Payment,
  type Refusal,
  sameMoney,
  signalJob,
} from "@tillkit/core";
import type { HostDecision, Placed } from "@tillkit/core/back-office";
import { pluginLimits } from "../limits.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { completeCart, createCartSession } from "../store/cart-session.ts";
import { type PaymentCollection, readCollection } from "../store/payment-collection.ts";
import { changeAttempt, runReattaching } from "../store/reattached-payment.ts";
import { isSoldOut } from "../store/stock.ts";
import { hasLostCart, readOpenCart } from "./open-cart.ts";

/**
 * Attaches a held payment to its cart again and lets Medusa complete the cart. All checks of a payment stay in force: when the cart
 * costs something else now, the payment stays held for that difference. A cart that Medusa does not complete keeps its payment.
 * When the process dies meanwhile, a job places the order.
 * @throws CheckoutError `ledger_busy` when the payment or its cart is not as the person saw it; as `confirmPayment` does
 */
export async function placeOrder(
  runtime: CheckoutRuntime,
  { id: paymentId }: Payment,
  decision: HostDecision,
): Promise<Placed> {
  // Two people who click at the same time would delete each other's session.
  return await runtime.refundMutex.runExclusive(paymentId, async () => {
    const { container, ledger, engine } = runtime;
    const payment = await ledger.find({ id: paymentId });
    const collection = payment && (await readCollection(container, payment.ref.orderId));
    const cart = payment && (await readOpenCart(runtime, payment, collection));
    if (!payment || !collection || !cart || !(await decision.stillApplies())) throw changedMeanwhile();
    const attached = await reattach(runtime, payment, collection, decision);
    if (attached === null) return { why: { kind: "cart_gone" }, error: null };
    const why = sameMoney(cart.total, payment.amountDue)
      ? await complete(runtime, cart.cartId, { attached, previousAttempt: payment.attempt })
      : null;
    if (why !== null) return { why, error: null };
    const { error } = await confirmPayment(engine, paymentId, { actor: "operator" });
    return { why: null, error };
  });
}

// Null: Medusa made no session for the cart.
async function reattach(
  { container, ledger, engine }: CheckoutRuntime,
  payment: Payment,
  collection: PaymentCollection,
  { by, id: decision, stillApplies }: HostDecision,
): Promise<Payment | null> {
  const attempt = await runReattaching(payment, () => createCartSession(container, collection));
  if (attempt === null) return null;
  const { id: paymentId } = payment;
  const at = engine.clock.now();
  const entry = { paymentId, at, actor: "operator", kind: "reattached", by, decision } as const;
  const job = signalJob(payment, at + pluginLimits.placeAgainMs);
  const added = { timeline: [entry], jobs: [job] };
  const isAsSeen = async (current: Payment) => hasLostCart(current) && (await stillApplies());
  const attached = await changeAttempt(ledger, payment, { attempt, ...added }, isAsSeen);
  if (attached === null) throw changedMeanwhile();
  return attached;
}

/** Null: Medusa completed the cart. `previousAttempt`: the session of the payment before it was attached to its cart again. */
async function complete(
  { container, ledger, log }: CheckoutRuntime,
  cartId: string,
  { attached, previousAttempt }: { readonly attached: Payment; readonly previousAttempt: string },
): Promise<Refusal | null> {
  try {
    await completeCart(container, cartId);
    return null;
  } catch (error) {
    log.warn("order.not_placed", { paymentId: attached.id, code: codeOf(error) });
    // If the payment stayed attached, Medusa would capture it at the next read, fail to place the order, and refund the payment
    // without the owner's decision. A payment that Medusa has captured is not held any more, so it stays attached.
    const detached = await changeAttempt(ledger, attached, { attempt: previousAttempt, timeline: [] }, hasLostCart);
    // The job, or a webhook, has let Medusa complete the cart meanwhile.
    if (detached === null && (await isOrdered(container, attached))) return null;
    return { kind: (await isSoldOut(container, cartId)) ? "sold_out" : "not_placed" };
  }
}

async function isOrdered(container: CheckoutRuntime["container"], { ref }: Payment): Promise<boolean> {
  const collection = await readCollection(container, ref.orderId);
  return collection !== null && collection.orderId !== null;
}
