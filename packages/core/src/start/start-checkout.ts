import { CheckoutError, codeOf } from "../domain/checkout-error.ts";
import { limits, nextCheck } from "../domain/limits.ts";
import { sameMoney } from "../domain/money.ts";
import type { Order } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact, isPaying } from "../domain/payment-states.ts";
import type { Engine } from "../engine.ts";
import { gatherMovements, lostToDisputeAfter } from "../payments/gather-movements.ts";
import { checkJob } from "../payments/payment-jobs.ts";
import { retryOnConflict, updatePayment } from "../payments/stored-payment.ts";
import { openSession } from "../sessions/open-session.ts";
import { verifyAndRecord } from "../verify/verify-payment.ts";
import { newPayment } from "./new-payment.ts";

/**
 * What the caller does with the shopper. `redirect`: send the shopper to the hosted page. `paid`: the order is paid (`paymentId`
 * null: not by one of our payments). `held`: a payment is held or being refunded, so the order cannot be paid again before the
 * merchant decides.
 */
export type CheckoutStart =
  | { readonly status: "redirect"; readonly url: string; readonly paymentId: string }
  | { readonly status: "paid"; readonly paymentId: string | null }
  | { readonly status: "held"; readonly paymentId: string };

/**
 * Opens the hosted checkout of an order, or returns the session that is already open for it.
 *
 * The intent with the exact body of the POST is committed before the POST (POST /checkout-sessions, with the payment's id as
 * Idempotency-Key), so a crash at any point leads to the same session.
 *
 * @throws CheckoutError `order_not_payable`, `amount_invalid`, `currency_not_supported`, `store_not_known`,
 * `environment_differs`, `session_refused`; retryable: `service_unavailable`, `ledger_busy`
 */
export async function startCheckout(engine: Engine, order: Order): Promise<CheckoutStart> {
  if (order.paidBy !== null) return await paidResult(engine, order, order.paidBy);
  // The order comes from the shop.
  await engine.storeBlocks.gaveSign(order.ref.storeId);
  const busyMessage = "Another window is starting a payment of this order: try again in a moment.";
  const step = { name: "start checkout", storeId: order.ref.storeId } as const;
  return await engine.tracing.step(step, () => retryOnConflict(busyMessage, () => nextStep(engine, order)));
}

async function paidResult(engine: Engine, order: Order, paidBy: string): Promise<CheckoutStart> {
  const payment = await engine.ledger.find({ id: paidBy });
  return { status: "paid", paymentId: payment?.ref.orderId === order.ref.orderId ? paidBy : null };
}

// One step towards an open session. Null: the payments of the order changed, so another step follows.
async function nextStep(engine: Engine, order: Order): Promise<CheckoutStart | null> {
  const all = await engine.ledger.paymentsOfOrder(order.ref);
  const won = await wonAfterAll(engine, all);
  if (won) return { status: "paid", paymentId: won.id };
  // A payment whose money a dispute took back pays nothing, so the order can be paid again.
  const payments = all.filter(({ lostToDispute }) => !lostToDispute);
  const paid = payments.find(isPaying);
  if (paid) return { status: "paid", paymentId: paid.id };
  const held = payments.find(({ state }) => state === "review" || state === "refunding");
  if (held) return { status: "held", paymentId: held.id };
  if (!order.payable) {
    throw new CheckoutError(
      "order_not_payable",
      "This order can no longer be paid: go back to the shop and order again.",
    );
  }

  const live = payments.find(isLive) ?? (await findLivePaymentOfAttempt(engine, order));
  if (!live) return await openNewPayment(engine, order);
  if (live.state === "intent") {
    await openSession(engine, live);
    return null;
  }
  if (live.session && canBeReused(live, order, engine.clock.now())) {
    return { status: "redirect", url: live.session.url, paymentId: live.id };
  }
  return await supersede(engine, live);
}

/**
 * A payment that counted as lost to its dispute while another payment paid the order, and whose money is here after all. It pays the
 * order again once the other payment has stopped to count.
 */
async function wonAfterAll(engine: Engine, payments: readonly Payment[]): Promise<Payment | null> {
  for (const payment of payments) {
    if (!payment.lostToDispute || payment.state !== "recorded") continue;
    const movements = await gatherMovements(engine.ledger, payment.id);
    if (await lostToDisputeAfter(engine, payment, movements)) continue;
    const { status } = await updatePayment(engine, payment.id, () => ({ change: { lostToDispute: false } }));
    if (status === "updated") return payment;
  }
  return null;
}

function isLive({ state }: Payment): boolean {
  return state === "intent" || state === "open";
}

function canBeReused(live: Payment, order: Order, now: number): boolean {
  return (
    live.finding === null &&
    live.ref.orderId === order.ref.orderId &&
    live.attempt === order.attempt &&
    live.environment === order.environment &&
    sameMoney(live.amountDue, order.total) &&
    (live.session?.expiresAt ?? 0) - now >= limits.reuseSessionMs
  );
}

// A platform may move an attempt to another order when the cart changes. The attempt's old payment is superseded then.
async function findLivePaymentOfAttempt(engine: Engine, order: Order): Promise<Payment | null> {
  if (order.attempt === "") return null;
  const found = await engine.ledger.find({ attempt: order.attempt, storeId: order.ref.storeId });
  return found && isLive(found) ? found : null;
}

// The old session may be paid although no webhook arrived, so it is verified before a second session is opened. A session that
// the service cannot show does not keep the shopper from paying: its scheduled reads continue, and another session is opened.
async function supersede(engine: Engine, live: Payment): Promise<null> {
  const { verdict, payment: verified } = await verifyAndRecord(engine, live.id, {
    actor: "shopper",
    deadlineMs: limits.shopperCallMs,
    maxAgeMs: limits.sharedReadingMaxAgeMs,
    confirmAfterMs: limits.platformFinishesMs,
  });
  // A live payment has a finding only when its session could not be read.
  const couldNotBeRead = live.finding !== null;
  const isReadableAgain = couldNotBeRead && verdict.status === "wait";
  if (isReadableAgain || (verdict.status !== "wait" && verdict.status !== "unreadable")) return null;
  const superseded = { ...verified, state: afterFact(verified.state, "replaced"), version: verified.version + 1 };
  await engine.ledger.commit({
    payment: { next: superseded, expect: verified.version },
    timeline: [{ paymentId: live.id, at: engine.clock.now(), actor: "shopper", kind: "replaced" }],
  });
  return null;
}

// The service may reject a name, e-mail or phone that looks valid to us. The order can be paid without them.
async function openNewPayment(engine: Engine, order: Order): Promise<CheckoutStart | null> {
  const { customer, ...anonymous } = order;
  try {
    return await commitNewPayment(engine, order);
  } catch (error) {
    if (customer === undefined || codeOf(error) !== "session_refused") throw error;
    return await commitNewPayment(engine, anonymous);
  }
}

async function commitNewPayment(engine: Engine, order: Order): Promise<CheckoutStart | null> {
  const credential = await engine.tenants.credentialFor(order.ref.storeId, order.environment);
  const intent = newPayment(engine, order, credential);
  const payment = { ...intent, nextCheckAt: nextCheck(intent, intent.createdAt) };
  const answer = await engine.ledger.commit({
    payment: { next: payment, expect: "new" },
    jobs: checkJob(payment),
    timeline: [{ paymentId: payment.id, at: payment.createdAt, actor: "shopper", kind: "started" }],
  });
  if (answer !== "done") return null;
  // Never replace a session that was just created, even if it expires soon.
  const { session, state } = await openSession(engine, payment);
  return session && state === "open" ? { status: "redirect", url: session.url, paymentId: payment.id } : null;
}
