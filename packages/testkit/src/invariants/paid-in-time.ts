import { limits, type Payment } from "@tillkit/core";
import type { Evidence, OrderEvidence, SessionEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";
import { lastTotal, sessionMismatch } from "./session-mismatch.ts";

const MINUTE = 60_000;

/** Milliseconds from the last fault to the order being paid, the longest that a read-then-write store is left alone apart. */
const WEBHOOK_PATH_MS = 2 * MINUTE;
const RECONCILE_PATH_MS = 10 * MINUTE;

/** What the store's answer to one write leaves in the story, when it is certain. */
const WRITE_RESULTS: ReadonlySet<string> = new Set([
  "recorded",
  "duplicate",
  "held",
  "store_unavailable",
  "store_reconnect",
]);

export const paidInTime: Invariant = {
  id: "I3",
  title: "A completed payment that matches its order pays it, soon after the last fault ends.",
  findViolations: (evidence) =>
    evidence.orders.flatMap((order) => {
      const owed = paidDeadline(evidence, order);
      if (owed === null || owed > evidence.gatheredAt) return [];
      const paidAt = order.effects[0]?.at;
      if (paidAt !== undefined && paidAt <= owed) return [];
      const late = paidAt === undefined ? "never" : `${Math.round((paidAt - owed) / 1_000)} s too late`;
      return [`${order.ref.orderId} was paid for and ${late} marked paid`];
    }),
};

/** Until when an order must be paid; null when no payment of it is good. */
function paidDeadline(evidence: Evidence, order: OrderEvidence): number | null {
  if (order.closedAt !== null) return null;
  const times = evidence.payments
    .filter(({ ref }) => ref.orderId === order.ref.orderId && ref.storeId === order.ref.storeId)
    .flatMap((payment) => {
      const session = evidence.sessions.find(({ paymentId }) => paymentId === payment.id);
      return session && isGood(evidence, order, payment, session)
        ? [deadlineFor(evidence, order, payment, session)]
        : [];
    });
  return times.length === 0 ? null : Math.min(...times);
}

function isGood(evidence: Evidence, order: OrderEvidence, payment: Payment, session: SessionEvidence): boolean {
  const goesBack = evidence.refunds.some(({ paymentId }) => paymentId === payment.id);
  const isOver = session.completedAt !== null && session.completedAt >= session.expiresAt + limits.graceMs;
  return (
    session.completedAt !== null &&
    !isOver &&
    !goesBack &&
    !order.closedAttempts.includes(payment.attempt) &&
    !isBehindAnotherPayment(evidence, order, payment) &&
    sessionMismatch(session, payment, lastTotal(order)) === null
  );
}

// Whether the shop took an earlier payment of the order was never learned, and its money went back: a shop that cannot be
// read may stand by that one. The second payment is visible as a duplicate.
function isBehindAnotherPayment(evidence: Evidence, { ref }: OrderEvidence, payment: Payment): boolean {
  const { payments, refunds } = evidence;
  const others = payments.filter(
    (other) => other.id !== payment.id && other.ref.orderId === ref.orderId && other.ref.storeId === ref.storeId,
  );
  return (
    payment.state === "duplicate" &&
    others.some(
      (other) => refunds.some(({ paymentId }) => paymentId === other.id) && hasUnansweredWrite(evidence, other),
    )
  );
}

// The process that wrote may have died before it could tell what came of it.
function hasUnansweredWrite({ timeline }: Evidence, { id, storeTries }: Payment): boolean {
  const learned = timeline.filter(
    ({ paymentId, actor, kind }) => paymentId === id && actor === "store" && WRITE_RESULTS.has(kind),
  );
  return storeTries > learned.length;
}

function deadlineFor(evidence: Evidence, order: OrderEvidence, payment: Payment, session: SessionEvidence): number {
  const { writes } = order;
  const settleMs = writes.kind === "conditional" ? 0 : limits.storeCallMs + writes.settleAfterMs + limits.clockSkewMs;
  const edited = order.totals.at(-1)?.from ?? 0;
  // A duplicate whose winner fell begins anew.
  const reopened = evidence.stateChanges.findLast(
    ({ paymentId, from }) => paymentId === payment.id && from === "duplicate",
  );
  // Nobody pays an order with money that may be on its way back.
  const kept = evidence.stateChanges.findLast(
    ({ paymentId, from }) => paymentId === payment.id && from === "refunding",
  );
  const times = [evidence.faultsEndedAt, session.completedAt ?? 0, edited, payment.waiver?.at ?? 0, reopened?.at ?? 0];
  times.push(kept?.at ?? 0);
  const since = Math.max(...times);
  // An event of another kind is spent on one look; only that of the success is followed until the session shows it.
  const wasUnreadable = evidence.timeline.some(
    ({ paymentId, kind }) => paymentId === payment.id && kind === "unreadable",
  );
  const heard = evidence.webhooks.filter(
    ({ paymentId, status, at, reportsSuccess = true }) =>
      paymentId === payment.id &&
      status === 200 &&
      at >= (session.completedAt ?? 0) &&
      (reportsSuccess || !wasUnreadable),
  );
  // Held for a while: the event that was heard was spent on a difference that is gone, and the timer looks again.
  const held = evidence.stateChanges.some(({ paymentId, to }) => paymentId === payment.id && to === "review");
  const first = heard.reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
  const livesOn = !held && since < session.expiresAt;
  const byTimer = livesOn ? since + RECONCILE_PATH_MS : nextRead(payment, session, since);
  const byWebhook = held ? Number.POSITIVE_INFINITY : Math.max(first, since);
  return Math.min(byWebhook + WEBHOOK_PATH_MS, byTimer) + settleMs + platformWait(order, payment);
}

// A platform with a schedule of its own is told no sooner than it says, counted in writes: also in one whose process died before
// it heard the answer.
function platformWait({ retryScheduleMs = [] }: OrderEvidence, { storeTries }: Payment): number {
  return (storeTries > 0 && (retryScheduleMs[storeTries - 1] ?? retryScheduleMs.at(-1))) || 0;
}

function nextRead({ createdAt }: Payment, { expiresAt }: SessionEvidence, since: number): number {
  const reads = [
    ...limits.checksAfterStartMs.map((after) => createdAt + after).filter((at) => at < expiresAt),
    ...limits.checksAfterExpiryMs.map((after) => expiresAt + after),
  ];
  return (reads.find((at) => at > since) ?? Number.POSITIVE_INFINITY) + WEBHOOK_PATH_MS;
}
