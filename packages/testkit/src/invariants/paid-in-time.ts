import { limits, type Payment } from "@tillkit/core";
import type { Evidence, OrderEvidence, SessionEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";
import { isForgotten } from "./ledger-memory.ts";
import { lastTotal, sessionMismatch } from "./session-mismatch.ts";

const MINUTE = 60_000;

/** The longest time until the order is marked paid, after a webhook or without one. The store's settling time is added. */
const WEBHOOK_PATH_MS = 2 * MINUTE;
const TIMER_PATH_MS = 10 * MINUTE;

/** The timeline entries that record what the store answered to a write. */
const WRITE_RESULTS: ReadonlySet<string> = new Set([
  "recorded",
  "duplicate",
  "held",
  "store_unavailable",
  "store_reconnect",
]);

export const paidInTime: Invariant = {
  id: "I3",
  title: "A completed payment that matches its order marks the order paid soon after the last fault ends.",
  findViolations: (evidence) =>
    evidence.orders.flatMap((order) => {
      const deadline = paidDeadline(evidence, order);
      if (deadline === null || deadline > evidence.gatheredAt) return [];
      const paidAt = order.effects[0]?.at;
      if (paidAt !== undefined && paidAt <= deadline) return [];
      const late = paidAt === undefined ? "never" : `${Math.round((paidAt - deadline) / 1_000)} s too late`;
      return [`${order.ref.orderId} has a matching payment and was marked paid ${late}`];
    }),
};

/** The deadline by which the order must be marked paid, or null if the order has no matching payment. */
function paidDeadline(evidence: Evidence, order: OrderEvidence): number | null {
  if (order.closedAt !== null) return null;
  const times = evidence.payments
    .filter(({ ref }) => ref.orderId === order.ref.orderId && ref.storeId === order.ref.storeId)
    .flatMap((payment) => {
      const session = evidence.sessions.find(({ paymentId }) => paymentId === payment.id);
      return session && mustPayOrder(evidence, order, payment, session)
        ? [deadlineFor(evidence, order, payment, session)]
        : [];
    });
  return times.length === 0 ? null : Math.min(...times);
}

function mustPayOrder(evidence: Evidence, order: OrderEvidence, payment: Payment, session: SessionEvidence): boolean {
  const { completedAt, expiresAt } = session;
  if (completedAt === null || completedAt >= expiresAt + limits.graceMs) return false;
  if (evidence.refunds.some(({ paymentId }) => paymentId === payment.id)) return false;
  // A dispute may have taken the money back before the payment was judged.
  if (evidence.disputes.some(({ paymentId }) => paymentId === payment.id)) return false;
  if (isForgotten(evidence, payment.id)) return false;
  if (order.closedAttempts.includes(payment.attempt)) return false;
  if (isBehindAnotherPayment(evidence, order, payment)) return false;
  return sessionMismatch(session, payment, lastTotal(order)) === null;
}

// An earlier payment of the order was refunded, and nobody knew whether the shop had accepted that payment. A write-only shop may
// still count the earlier payment, so the second payment is shown as a duplicate.
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

// The writing process may have died before it recorded the store's answer.
function hasUnansweredWrite({ timeline }: Evidence, { id, storeTries }: Payment): boolean {
  const answers = timeline.filter(
    ({ paymentId, actor, kind }) => paymentId === id && actor === "store" && WRITE_RESULTS.has(kind),
  );
  return storeTries > answers.length;
}

function deadlineFor(evidence: Evidence, order: OrderEvidence, payment: Payment, session: SessionEvidence): number {
  const { writes } = order;
  const settleMs = writes.kind === "conditional" ? 0 : limits.storeCallMs + writes.settleAfterMs + limits.clockSkewMs;
  const edited = order.totals.at(-1)?.from ?? 0;
  // The deadline of a duplicate starts again when its sibling payment stops counting.
  const reopened = evidence.stateChanges.findLast(
    ({ paymentId, from }) => paymentId === payment.id && from === "duplicate",
  );
  // An order is not marked paid while a refund of the payment may be in progress.
  const resumed = evidence.stateChanges.findLast(
    ({ paymentId, from }) => paymentId === payment.id && from === "refunding",
  );
  // A restored ledger knew nothing of the payment before.
  const recovered = evidence.timeline.findLast(
    ({ paymentId, kind }) => paymentId === payment.id && kind === "recovered",
  );
  const since = Math.max(
    evidence.faultsEndedAt,
    recovered?.at ?? 0,
    session.completedAt ?? 0,
    edited,
    payment.waiver?.at ?? 0,
    reopened?.at ?? 0,
    resumed?.at ?? 0,
  );
  // After a success event, the session is read until it shows the payment. After any other event, the session is read only once.
  const wasUnreadable = evidence.timeline.some(
    ({ paymentId, kind }) => paymentId === payment.id && kind === "unreadable",
  );
  const helpfulWebhooks = evidence.webhooks.filter(
    ({ paymentId, status, at, reportsSuccess = true, wasStoredBefore = false }) =>
      paymentId === payment.id &&
      status === 200 &&
      at >= (session.completedAt ?? 0) &&
      !wasStoredBefore &&
      (reportsSuccess || !wasUnreadable),
  );
  // A payment was held when its event was processed. When the difference disappears later, only the timer verifies the payment again.
  // A restored ledger that did not know the payment's state tells it in its timeline alone.
  const wasHeld =
    evidence.stateChanges.some(({ paymentId, to }) => paymentId === payment.id && to === "review") ||
    evidence.timeline.some(({ paymentId, kind }) => paymentId === payment.id && kind === "held");
  const firstWebhook = Math.min(...helpfulWebhooks.map(({ at }) => at));
  const isStillOpen = !wasHeld && since < session.expiresAt;
  const byTimer = isStillOpen ? since + TIMER_PATH_MS : afterNextRead(payment, session, since);
  const byWebhook = wasHeld ? Number.POSITIVE_INFINITY : Math.max(firstWebhook, since) + WEBHOOK_PATH_MS;
  return Math.min(byWebhook, byTimer) + settleMs + platformWait(evidence, order);
}

// A platform's retry schedule counts every write of a payment, also a write whose process died before the answer arrived. A duplicate waits for
// the payment that counts for its order.
function platformWait({ payments }: Evidence, { ref, retryScheduleMs = [] }: OrderEvidence): number {
  const waits = payments
    .filter((payment) => payment.ref.orderId === ref.orderId && payment.ref.storeId === ref.storeId)
    .map(({ storeTries }) => (storeTries === 0 ? 0 : (retryScheduleMs[storeTries - 1] ?? retryScheduleMs.at(-1) ?? 0)));
  return Math.max(0, ...waits);
}

/** The time by which the next scheduled read has marked the order paid. Infinity if no read is left. */
function afterNextRead({ createdAt }: Payment, { expiresAt }: SessionEvidence, since: number): number {
  const reads = [
    ...limits.checksAfterStartMs.map((after) => createdAt + after).filter((at) => at < expiresAt),
    ...limits.checksAfterExpiryMs.map((after) => expiresAt + after),
  ];
  return (reads.find((at) => at > since) ?? Number.POSITIVE_INFINITY) + WEBHOOK_PATH_MS;
}
