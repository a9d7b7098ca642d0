import { limits, type Payment, sameMoney } from "@tillkit/core";
import type { Evidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const oneSessionPerPayment: Invariant = {
  id: "I5",
  title:
    "A payment has at most one session, every session has a payment, and no payable session is replaced without need.",
  findViolations: (evidence) => {
    const wrongSessions = evidence.payments.flatMap(({ id, session }) => {
      const own = evidence.sessions.filter(({ paymentId }) => paymentId === id);
      if (own.length > 1) return [`payment ${id} has ${own.length} sessions`];
      const known = session === null || own.length === 0 || own.some((one) => one.id === session.id);
      return known ? [] : [`payment ${id} names a session that it did not open`];
    });
    return [...wrongSessions, ...sessionsWithoutPayment(evidence), ...replacedNeedlessly(evidence)];
  },
};

function sessionsWithoutPayment({ sessions, payments }: Evidence): string[] {
  const known = new Set(payments.map(({ id }) => id));
  return sessions.filter(({ paymentId }) => !known.has(paymentId)).map(({ id }) => `session ${id} has no payment`);
}

// A shopper's session stays payable, so a second session for the same attempt and total is a violation. Sessions that could
// not be read are exempt, because it was unknown whether they could be paid. A held payment whose session is unpaid after all becomes
// superseded too, and nothing replaced it.
function replacedNeedlessly({ payments, stateChanges, orders, timeline }: Evidence): string[] {
  const unreadable = new Set(timeline.filter(({ kind }) => kind === "unreadable").map(({ paymentId }) => paymentId));
  const edited = new Set(orders.filter(({ totals }) => totals.length > 1).map(({ ref }) => ref.orderId));
  return stateChanges
    .filter(({ from, to }) => to === "superseded" && from !== "review")
    .flatMap(({ paymentId, at }) => {
      const old = payments.find(({ id }) => id === paymentId);
      if (!old || unreadable.has(old.id) || edited.has(old.ref.orderId) || !hasTimeLeft(old, at)) return [];
      const next = payments.find((other) => other.createdAt >= at && isSameAttempt(old, other));
      return next ? [`payment ${next.id} replaced ${old.id}, whose session could still be paid`] : [];
    });
}

function hasTimeLeft({ session }: Payment, at: number): boolean {
  return session !== null && session.expiresAt - at >= limits.reuseSessionMs + limits.clockSkewMs;
}

function isSameAttempt({ ref, attempt, amountDue }: Payment, other: Payment): boolean {
  const isSameOrder = other.ref.orderId === ref.orderId && other.ref.storeId === ref.storeId;
  return isSameOrder && other.attempt === attempt && sameMoney(other.amountDue, amountDue);
}
