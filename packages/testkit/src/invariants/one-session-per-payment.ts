import { limits, type Payment, sameMoney } from "@tillkit/core";
import type { Evidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";
import { isForgotten } from "./ledger-memory.ts";

export const oneSessionPerPayment: Invariant = {
  id: "I5",
  title:
    "A payment has at most one session, every session has a payment, and no payable session is replaced without need.",
  findViolations: (evidence) => {
    const wrongSessions = evidence.payments.flatMap(({ id, session }) => {
      const own = evidence.sessions.filter(({ paymentId }) => paymentId === id);
      // To a clock that was wrong, the key of a request looks younger than it is. No page ever led to a session whose answer was lost.
      const isUnpaidTwin = evidence.wasClockWrong === true && own.filter(({ completedAt }) => completedAt).length <= 1;
      if (own.length > 1 && !isUnpaidTwin) return [`payment ${id} has ${own.length} sessions`];
      const isOwnSession = session === null || own.length === 0 || own.some((opened) => opened.id === session.id);
      return isOwnSession ? [] : [`payment ${id} names a session that was not opened for this payment`];
    });
    return [...wrongSessions, ...sessionsWithoutPayment(evidence), ...replacedNeedlessly(evidence)];
  },
};

function sessionsWithoutPayment({ sessions, payments, memory }: Evidence): string[] {
  const known = new Set(payments.map(({ id }) => id));
  return sessions
    .filter(({ paymentId }) => !known.has(paymentId) && !isForgotten({ memory }, paymentId))
    .map(({ id }) => `session ${id} has no payment`);
}

// A session stays payable, so a second session for the same attempt and total is a violation. Exempt are sessions that could not be
// read, because nobody knew whether they were payable, and held payments: a held payment becomes superseded without a replacement
// when its session turns out to be unpaid. To a wrong clock a session seems to be over.
function replacedNeedlessly({ payments, stateChanges, orders, timeline, wasClockWrong }: Evidence): string[] {
  if (wasClockWrong) return [];
  const unreadable = new Set(timeline.filter(({ kind }) => kind === "unreadable").map(({ paymentId }) => paymentId));
  const edited = new Set(orders.filter(({ totals }) => totals.length > 1).map(({ ref }) => ref.orderId));
  return stateChanges
    .filter(({ from, to }) => to === "superseded" && from !== "review")
    .flatMap(({ paymentId, at }) => {
      const old = payments.find(({ id }) => id === paymentId);
      // No shopper is sent to the page of a session that a restored ledger has adopted, because its address is not known.
      if (
        !old ||
        old.session?.url === "" ||
        unreadable.has(old.id) ||
        edited.has(old.ref.orderId) ||
        !hasTimeLeft(old, at)
      )
        return [];
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
