import { limits } from "@tillkit/core";
import type { Evidence, OrderEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";
import { isForgotten } from "./ledger-memory.ts";
import { sessionMismatch, totalsSeenBy } from "./session-mismatch.ts";

export const paidByMatchingPayment: Invariant = {
  id: "I2",
  title:
    "An order is marked paid only by a completed payment of exactly this order, amount, currency, account and environment.",
  findViolations: (evidence) =>
    evidence.orders.flatMap((order) =>
      order.effects.flatMap((effect) => {
        const mismatch = mismatchReason(evidence, order, effect);
        const payment = effect.paymentId === "" ? "no payment of ours" : `payment ${effect.paymentId}`;
        return mismatch ? [`${order.ref.orderId} was marked paid by ${payment}, ${mismatch}`] : [];
      }),
    ),
};

function mismatchReason(
  evidence: Evidence,
  order: OrderEvidence,
  effect: OrderEvidence["effects"][number],
): string | null {
  const payment = evidence.payments.find(({ id }) => id === effect.paymentId);
  if (!payment) return isForgotten(evidence, effect.paymentId) ? null : "which does not exist";
  if (payment.ref.orderId !== order.ref.orderId || payment.ref.storeId !== order.ref.storeId) {
    return `which belongs to order ${payment.ref.orderId}`;
  }
  const session = evidence.sessions.find(({ paymentId }) => paymentId === payment.id);
  if (!session) return "which has no session";
  if (session.completedAt === null || session.completedAt > effect.at) return "which was not completed";
  const mismatch = sessionMismatch(session, payment, effect.total);
  if (mismatch === null) return null;
  if (isOfForgottenAcceptance(evidence, effect)) return null;
  // A shop that takes a write later than it may takes it after what the owner had accepted is over.
  const wasAccepted = evidence.acceptances.some(({ paymentId }) => paymentId === payment.id);
  if (evidence.isAxiomBroken === true && wasAccepted) return null;
  // In some stores the owner can change the total while a write is in flight. The write was right if it matched an earlier total.
  const isEarlierTotalPaid = totalsSeenBy(order, effect.at, evidence.isAxiomBroken === true).some(
    (total) => sessionMismatch(session, payment, total) === null,
  );
  return isEarlierTotalPaid ? null : `paid ${mismatch}`;
}

// A ledger that was restored since, or while the write was in flight, has forgotten what the owner had accepted.
function isOfForgottenAcceptance({ acceptances, memory }: Evidence, effect: OrderEvidence["effects"][number]): boolean {
  const restoredAt = memory.restoredAt ?? 0;
  if (effect.at < restoredAt) return true;
  const wasAccepted = acceptances.some(({ paymentId, at }) => paymentId === effect.paymentId && at < restoredAt);
  return wasAccepted && effect.at < restoredAt + limits.lateWriteMs;
}
