import {
  CheckoutError,
  type ConfirmResult,
  codeOf,
  confirmPayment,
  type FindingCode,
  type Money,
  type NewJob,
  type Payment,
  sameMoney,
  type TimelineEntry,
} from "@tillkit/core";
import { userError } from "../errors/user-error.ts";
import { pluginLimits } from "../limits.ts";
import { runReattaching } from "../provider/reattached-payment.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { completeCart, createCartSession } from "../store/cart-session.ts";
import { isCanceledInMedusa } from "../store/order.ts";
import { type PaymentCollection, readCollection, totalOf } from "../store/payment-collection.ts";
import { isSoldOut } from "../store/stock.ts";
import { type Decision, seenOf } from "./seen-payment.ts";

/** A cart that a held payment may still pay. `total`: what the cart costs now. */
type OpenCart = { readonly cartId: string; readonly total: Money; readonly isSoldOut: boolean };

/** A payment with one of these findings lost its cart: Medusa deleted its session, or refused it. Nothing else about it differs. */
const LOST_CART: readonly FindingCode[] = ["order_gone", "order_not_payable"];

/** Null when the payment is not held for a lost cart, or its cart is gone, canceled, ordered, or has another payment. */
export async function readOpenCart(
  { container }: Pick<CheckoutRuntime, "container">,
  payment: Payment,
  collection: PaymentCollection | null,
): Promise<OpenCart | null> {
  if (!hasLostCart(payment)) return null;
  if (collection === null || collection.cartId === null || collection.orderId !== null) return null;
  if (collection.payments.some(({ isCanceled }) => !isCanceled)) return null;
  if (await isCanceledInMedusa(container, collection)) return null;
  const { cartId } = collection;
  const total = totalIn(collection);
  return total && { cartId, total, isSoldOut: await isSoldOut(container, cartId) };
}

function hasLostCart({ state, finding }: Payment): boolean {
  return state === "review" && finding !== null && LOST_CART.includes(finding.code);
}

// The cart may have moved to a region whose currency the service does not take.
function totalIn(collection: PaymentCollection): Money | null {
  try {
    return totalOf(collection);
  } catch (error) {
    if (codeOf(error) === "currency_not_supported") return null;
    throw error;
  }
}

/**
 * Attaches a held payment to its cart again and lets Medusa complete the cart. All checks of a payment stay in force: when the cart
 * costs something else now, the payment stays held for that difference. A cart that Medusa does not complete keeps its payment.
 * When the process dies meanwhile, a job places the order.
 * @throws Error with a text for the person who clicked; CheckoutError as `confirmPayment` does
 */
export async function placeOrder(
  runtime: CheckoutRuntime,
  paymentId: string,
  { by, seen }: Decision,
): Promise<ConfirmResult> {
  // Two people who click at the same time would delete each other's session.
  return await runtime.refundMutex.runExclusive(paymentId, async () => {
    const { container, ledger, engine } = runtime;
    const payment = await ledger.find({ id: paymentId });
    const collection = payment && (await readCollection(container, payment.ref.orderId));
    const cart = payment && (await readOpenCart(runtime, payment, collection));
    if (!payment || !collection || !cart) throw userError("cartNotOpen");
    if (cart.isSoldOut) throw userError("cartSoldOut");
    const isAsSeen = async (current: Payment) => (await seenOf(runtime, current, cart)) === seen;
    if (!(await isAsSeen(payment))) throw userError("decisionOutdated");
    const attached = await reattach(runtime, payment, collection, { by, isAsSeen });
    if (sameMoney(cart.total, payment.amountDue)) {
      await complete(runtime, cart.cartId, { attached, previousAttempt: payment.attempt });
    }
    return await confirmPayment(engine, paymentId, { actor: "operator" });
  });
}

async function reattach(
  { container, ledger, engine }: CheckoutRuntime,
  payment: Payment,
  collection: PaymentCollection,
  { by, isAsSeen }: { readonly by: string; readonly isAsSeen: (payment: Payment) => Promise<boolean> },
): Promise<Payment> {
  const attempt = await runReattaching(payment, () => createCartSession(container, collection));
  if (attempt === null) throw userError("cartNotOpen");
  const { id: paymentId } = payment;
  const at = engine.clock.now();
  const entry = { paymentId, at, actor: "operator", kind: "reattached", detail: by } as const;
  const dueAt = at + pluginLimits.placeAgainMs;
  // A job without the payload "signal" leaves held payments alone.
  const job = { kind: "confirm", storeId: payment.ref.storeId, paymentId, payload: "signal", dueAt } as const;
  const attached = await changeAttempt(ledger, payment, attempt, { timeline: [entry], jobs: [job] }, isAsSeen);
  if (attached !== null) return attached;
  throw new CheckoutError("ledger_busy", "This payment changed in the meantime: reload it, then decide.", {
    retryable: true,
  });
}

/**
 * Writes a new attempt to a held payment. Its own jobs may change the payment at the same time, so a stale write is repeated with
 * the payment as it is then. Null when the payment is not held for a lost cart any more, or is not as the person saw it.
 */
async function changeAttempt(
  ledger: CheckoutRuntime["ledger"],
  payment: Payment,
  attempt: string,
  added: { readonly timeline: readonly TimelineEntry[]; readonly jobs?: readonly NewJob[] },
  isAsSeen: (payment: Payment) => Promise<boolean> = async () => true,
): Promise<Payment | null> {
  let current: Payment | null = payment;
  for (let round = 0; round < pluginLimits.commitRounds; round += 1) {
    if (current === null || !hasLostCart(current) || !(await isAsSeen(current))) return null;
    const next: Payment = { ...current, attempt, version: current.version + 1 };
    const answer = await ledger.commit({ payment: { next, expect: current.version }, ...added });
    if (answer === "done") return next;
    current = await ledger.find({ id: payment.id });
  }
  return null;
}

/** `previousAttempt`: the session of the payment before it was attached to its cart again. */
async function complete(
  { container, ledger, log }: CheckoutRuntime,
  cartId: string,
  { attached, previousAttempt }: { readonly attached: Payment; readonly previousAttempt: string },
): Promise<void> {
  try {
    await completeCart(container, cartId);
  } catch (error) {
    log.warn("order.not_placed", { paymentId: attached.id, code: codeOf(error) });
    // If the payment stayed attached, Medusa would capture it at the next read, fail to place the order, and refund the payment
    // without the owner's decision. A payment that Medusa has captured is not held any more, so it stays attached.
    await changeAttempt(ledger, attached, previousAttempt, { timeline: [] });
    throw userError((await isSoldOut(container, cartId)) ? "cartSoldOut" : "cartNotCompleted");
  }
}
