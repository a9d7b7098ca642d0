import { codeOf, type Money, type Payment, type Refund, type RefundRequest, shownPayment } from "@tillkit/core";
import type { ReadThenWriteStore } from "../stores/read-then-write/read-then-write-store.ts";
import { HOUR, MINUTE, SECOND } from "./hazards/durations.ts";
import type { ReasonQuirk } from "./hazards/money-hazards.ts";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import { decideOnPage, openPage } from "./payment-page.ts";
import {
  addHistory,
  anyAlive,
  increment,
  type SimulatedOrder,
  type SimulationWorld,
  withTimeout,
} from "./simulation-world.ts";
import { sendRefundEvent } from "./webhook-sender.ts";

const OWNER_TIMEOUT_MS = 40 * SECOND;
/** The owner's amount of a partial refund, in minor units. */
const PARTIAL_REFUND_MINOR = 100;

/** Simulates the owner of one order, who edits and closes the order, refunds payments and decides reviews. */
export async function simulateOwner(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { clock, random } = world;
  const { edits, closes, refunds, dashboard, decides, statuses, shopRefunds } = world.hazards.owner;
  // The same order for every seed, because each action draws from the random stream.
  const actions = [
    { probability: edits, act: edit },
    { probability: closes, act: close },
    { probability: refunds, act: refund },
    { probability: dashboard, act: refundInDashboard },
    { probability: decides, act: decideHeld },
    { probability: shopRefunds, act: refundInShop },
    { probability: statuses, act: setStatus },
  ].filter(({ probability }) => probability > 0);
  if (actions.length === 0) return;
  while (clock.now() < world.activeUntil) {
    await clock.sleep(randomMs(random, 15 * MINUTE));
    for (const { probability, act } of actions) if (happens(random, probability)) await act(world, order);
  }
}

/** The owner decides about an order at once, while a write of ours may be under way. */
export async function actMeanwhile(world: SimulationWorld): Promise<void> {
  const { timeRandom, orders } = world;
  const order = orders[Math.floor(timeRandom.fraction() * orders.length)];
  const act = pick(timeRandom, [close, refund]);
  if (order && world.clock.now() < world.activeUntil) await act(world, order);
}

async function edit(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, hazardRandom, store } = world;
  const oldAttempt = order.placed.attempt;
  const otherCurrency = { minor: 2_500, currency: order.total.currency === "XOF" ? "USD" : "XOF" };
  const picked: Money = pick(random, [
    { ...order.total, minor: order.total.minor + 100 },
    { ...order.total, minor: order.total.minor - 100 },
    order.totals[0]?.total ?? order.total,
    otherCurrency,
  ]);
  // The same number in another currency is a different total.
  const total = happens(hazardRandom, 0.2) ? { ...otherCurrency, minor: order.total.minor } : picked;
  const isPaid = store.probe.effects(order.placed.ref.orderId).length > 0;
  if (isPaid || order.closedAt !== null || total === order.total) return;
  try {
    order.placed = await store.editTotal(order.placed.ref.orderId, total);
  } catch {
    return;
  }
  // Some platforms start a new attempt for the new total and close the old attempt.
  if (order.placed.attempt !== oldAttempt) order.closedAttempts.push(oldAttempt);
  order.total = total;
  order.totals.push({ total, from: world.clock.now() });
  addHistory(world, `order ${order.placed.ref.orderId}: now costs ${total.minor} ${total.currency}`);
}

async function close(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, store, clock } = world;
  const { orderId } = order.placed.ref;
  if (store.probe.effects(orderId).length > 0) return;
  const closing = store.payOutside && happens(random, 0.5) ? store.payOutside(orderId) : store.cancelOrder(orderId);
  // A miniature store closes the order synchronously. An `await` would let other events of the same moment happen first.
  if (closing) await closing;
  order.closedAt ??= clock.now();
  addHistory(world, `order ${orderId}: ${store.probe.status(orderId)}`);
}

/** Refunds a payment in part or in full, and repeats the click until an answer arrives, with the same key or a new one. */
async function refund(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const paymentId = pick(world.random, [order.payments[0], ...order.payments]);
  if (paymentId !== undefined) await refundUntilAnswered(world, order, { paymentId, namesPayment: true });
}

/** Clicks the refund button of the shop's own screen, which names no payment. */
async function refundInShop(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const shown = shownPayment(await world.ledger.paymentsOfOrder(order.placed.ref));
  if (shown) await refundUntilAnswered(world, order, { paymentId: shown.id, namesPayment: false });
}

type RefundTarget = { readonly paymentId: string; readonly namesPayment: boolean };

async function refundUntilAnswered(world: SimulationWorld, order: SimulatedOrder, target: RefundTarget): Promise<void> {
  const { random, clock } = world;
  const { paymentId, namesPayment } = target;
  const payment = await world.ledger.find({ id: paymentId });
  if (!payment) return;
  const amount = happens(random, 0.5) ? payment.amountDue : { ...payment.amountDue, minor: PARTIAL_REFUND_MINOR };
  const request = { paymentId, amount, origin: pick(random, ["store", "tillkit"] as const) };
  // The shop and our page may be clicked in the same moment.
  const firstKey = `${paymentId} ${amount.minor} of ${clock.now()} by ${request.origin}`;
  const keys = [firstKey];
  const shownPaymentId = namesPayment ? null : await shownInShop(world, order, payment);
  const subject = `${amount.minor} of payment ${paymentId}`;
  world.decisions.push({
    subject,
    paymentId: namesPayment ? paymentId : null,
    shownPaymentId,
    keys,
    origin: request.origin,
  });
  world.refundClicks.push({ order, request, keys, at: clock.now() });
  const refundsBefore = order.shopRefundIds.length;
  const decidedAt = clock.now();
  const answered = await clickUntilAnswered(world, order, { request, firstKey, keys, decidedAt });
  if (!world.hazards.owner.repeatsClicks) return;
  scheduleRepeats(world, async () => {
    // Without a refund as the answer, the owner does not repeat a refund that the order already shows.
    const isShown = order.shopRefundIds.length !== refundsBefore;
    const { key, isRefund } = answered ?? { key: firstKey, isRefund: false };
    if ((!isRefund && isShown) || !isRecognizable(world, decidedAt) || isForgotten(world, key, decidedAt)) return;
    await clickRefund(world, order, { ...request, key });
  });
}

// A write-only shop knows its own payment session. Where several of our payments paid one session, one after the other's money went back,
// it shows them as one.
async function shownInShop(
  { store, ledger }: SimulationWorld,
  { placed }: SimulatedOrder,
  { id, attempt }: Payment,
): Promise<string | null> {
  const paidBy = store.probe.paidBy(placed.ref.orderId);
  if (store.kind !== "write-only" || paidBy === null) return paidBy;
  const paying = await ledger.find({ id: paidBy });
  return paying?.attempt === attempt ? id : paidBy;
}

type RefundClicks = {
  readonly request: Omit<RefundRequest, "key">;
  readonly firstKey: string;
  readonly keys: string[];
  readonly decidedAt: number;
};

/** Returns the key of the click that was answered, and whether with a refund; null without an answer. */
async function clickUntilAnswered(
  world: SimulationWorld,
  order: SimulatedOrder,
  { request, firstKey, keys, decidedAt }: RefundClicks,
): Promise<{ readonly key: string; readonly isRefund: boolean } | null> {
  const { random, clock } = world;
  for (let click = 1; click <= 3; click += 1) {
    const chosen = happens(random, 0.5) ? firstKey : `${firstKey} click ${click}`;
    const known = keys.slice(1).filter((sent) => !isForgotten(world, sent, decidedAt));
    const key = known.includes(chosen) || isNewKeyRecognizable(world, decidedAt) ? chosen : (known.at(-1) ?? chosen);
    keys.push(key);
    const refundsBefore = order.shopRefundIds.length;
    const answer = await clickRefund(world, order, { ...request, key });
    if (answer !== null) return { key, isRefund: answer === "refund" };
    await clock.sleep(randomMs(random, 3 * MINUTE));
    // The order shows a refund now, so the owner does not click again.
    if (order.shopRefundIds.length > refundsBefore || !isRecognizable(world, decidedAt)) return null;
  }
  return null;
}

/** `refund`: it is completed or pending. `refused`: it is impossible. Null: no definite answer. */
export async function clickRefund(
  world: SimulationWorld,
  order: SimulatedOrder,
  request: RefundRequest,
): Promise<"refund" | "refused" | null> {
  increment(world.tallies.signals, request.paymentId);
  const refundCall = anyAlive(world)?.app.refund({ ...request, recordedRefunds: [...order.shopRefundIds] });
  const answer =
    refundCall && (await withTimeout(world, OWNER_TIMEOUT_MS, refundCall).catch((error) => ({ state: codeOf(error) })));
  addHistory(
    world,
    `payment ${request.paymentId}: refund of ${request.amount.minor} → ${answer?.state ?? "no answer"}`,
  );
  if (!answer) return null;
  if ("refundId" in answer) recordInShop(world, order, answer);
  if (answer.state === "completed" || answer.state === "pending") return "refund";
  return answer.state.startsWith("refund_not") ? "refused" : null;
}

function recordInShop(world: SimulationWorld, { shopRefundIds }: SimulatedOrder, refund: Refund): void {
  const { paymentId, refundId, state, amount } = refund;
  if (refundId === null || (state !== "completed" && state !== "pending")) return;
  shopRefundIds.push(refundId);
  if (state === "completed") world.recordedRefunds.push({ paymentId, refundId, status: state, minor: amount.minor });
}

/** Repeats the click after hours or days, when the service may have forgotten the key. */
function scheduleRepeats({ clock, hazardRandom }: SimulationWorld, click: () => Promise<void>): void {
  for (const hours of [1, 26, 50]) {
    if (happens(hazardRandom, 0.6)) clock.setTimer(hours * HOUR + randomMs(hazardRandom, HOUR), () => void click());
  }
}

/**
 * After the ledger was restored, the shop repeats the refunds that it had asked for: under the same key, as after an answer that it
 * lost, or under a new key where it shows no refund at all.
 */
export function repeatRefundsAfterRestore(world: SimulationWorld): void {
  const { clock, moneyRandom, refundClicks, service } = world;
  for (const { order, request, keys, at } of refundClicks) {
    const made = service.refunds.find((refund) => keys.includes(refund.key ?? "") && refund.status !== "failed");
    const key = made?.key ?? null;
    if (key === null) continue;
    const click = (afterMs: number, name: string) => {
      clock.setTimer(afterMs + randomMs(moneyRandom, HOUR), () => {
        // Under a new key only a shop that shows no refund asks again, and only the mark tells that it is the same refund.
        const isNewKey = name !== key;
        const hasNoMark = !keepsMark(world.hazards.money.reason);
        if ((isNewKey && (order.shopRefundIds.length > 0 || hasNoMark)) || !isRecognizable(world, at)) return;
        keys.push(name);
        void clickRefund(world, order, { ...request, key: name });
      });
    };
    if (happens(moneyRandom, 0.6)) click(HOUR, key);
    if (happens(moneyRandom, 0.5)) click(30 * HOUR, key);
    if (happens(moneyRandom, 0.5)) click(0, `${key} after the restore`);
  }
}

/**
 * Whether a refund that was asked for before a restore can be recognized when it is asked for again: by its mark, or by the service
 * while it remembers the key. Where marks are refused, the repetition is another body under that key.
 */
function isRecognizable(world: SimulationWorld, decidedAt: number): boolean {
  const { clock, hazards, losesRefunds } = world;
  const { reason } = hazards.money;
  if (isNewKeyRecognizable(world, decidedAt)) return true;
  return !losesRefunds && reason !== "refused" && clock.now() < decidedAt + 20 * HOUR;
}

// After a restore only the mark tells that a request under a new key is one that was asked for before.
function isNewKeyRecognizable({ hazards, restoredAt }: SimulationWorld, decidedAt: number): boolean {
  return restoredAt === null || decidedAt > restoredAt || keepsMark(hazards.money.reason);
}

// A key that was answered with the refund of another key is known to the ledger alone. A restored ledger has forgotten it, and no mark
// was made from it.
function isForgotten({ restoredAt, service }: SimulationWorld, key: string, decidedAt: number): boolean {
  const wasRestored = restoredAt !== null && decidedAt <= restoredAt;
  return wasRestored && !service.refunds.some((refund) => refund.key === key);
}

/** Whether the service shows the mark in the `reason` of a refund unharmed, apart from its case. */
export function keepsMark(reason: ReasonQuirk): boolean {
  return reason === "kept" || reason === "recased";
}

/** The owner sets a random status on the order's screen. */
async function setStatus(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { hazardRandom, store, clock } = world;
  if (store.kind !== "read-then-write") return;
  const { orderId } = order.placed.ref;
  const status = pick(hazardRandom, [
    // Twice, so that most owners set an order to paid.
    "processing",
    "processing",
    "completed",
    "cancelled",
    "trash",
    "pending",
  ] as const);
  const shop = store as ReadThenWriteStore;
  // No owner sets a paid or closed order back to pending.
  if (status === "pending" && (store.probe.paidBy(orderId) !== null || order.closedAt !== null)) return;
  shop.setStatus(orderId, status);
  if (status !== "pending") order.closedAt ??= clock.now();
  addHistory(world, `order ${orderId}: its owner sets it to ${status}`);
}

async function refundInDashboard(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, moneyRandom, service } = world;
  const session = service.sessions.find(({ key }) => key === pick(random, [order.payments[0], ...order.payments]));
  if (!session) return;
  const amount = pick(random, [session.paidTerms.amount, PARTIAL_REFUND_MINOR]);
  const transaction = pick(moneyRandom, [session.transactions[0], ...session.transactions]);
  const made = transaction ? service.refundInDashboard(transaction, amount) : null;
  if (!made) return;
  addHistory(world, `session ${session.id}: ${made.amount} refunded in the dashboard, ${made.status}`);
  sendRefundEvent(world, made);
}

async function decideHeld(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, ledger, hazards } = world;
  for (const { id, state } of await ledger.paymentsOfOrder(order.placed.ref)) {
    if (state !== "review" && state !== "duplicate") continue;
    const view = await openPage(world, id);
    const accepts = state === "review" && happens(random, 0.6);
    await hesitate(world);
    if (view === null) continue;
    const choice = accepts ? ({ kind: "accept" } as const) : REFUND_THE_REST;
    await decideOnPage(world, view, choice);
    if (hazards.owner.repeatsClicks) scheduleRepeats(world, () => decideOnPage(world, view, choice));
  }
}

const REFUND_THE_REST = { kind: "refund", transactionId: null, amount: null } as const;

/** The page of the payment may stay open for a while before the owner clicks. */
async function hesitate({ clock, hazards, hazardRandom }: SimulationWorld): Promise<void> {
  const { hesitates } = hazards.owner;
  if (hesitates > 0 && happens(hazardRandom, hesitates)) await clock.sleep(randomMs(hazardRandom, HOUR));
}
