import { limits } from "@tillkit/core";
import type { Evidence, RefundEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const paidAtMostOnce: Invariant = {
  id: "I1",
  title:
    "An order is marked paid at most once, a refund is made at most once and never exceeds the payment, and the payment that an order shows is never refunded automatically.",
  findViolations: (evidence) => [...paidTwice(evidence), ...refundedTwice(evidence), ...refundedByMistake(evidence)],
};

// To a clock that jumps ahead, an earlier write has settled. Only a store with conditional writes refuses the next one.
function paidTwice({ orders, wasClockWrong = false }: Evidence): string[] {
  return orders
    .filter(({ effects, writes }) => effects.length > 1 && !(wasClockWrong && writes.kind === "read-then-write"))
    .map(({ ref, effects }) => `${ref.orderId} was marked paid ${effects.length} times`);
}

function refundedTwice({ sessions, refunds, transactions, memory }: Evidence): string[] {
  const made = refunds.filter(({ status }) => status !== "failed");
  const tooMuch = sessions.flatMap(({ paymentId, ...session }) => {
    const refunded = sumOf(made.filter((refund) => refund.paymentId === paymentId));
    const received = transactions.filter((transaction) => transaction.paymentId === paymentId);
    const wireAmount = received.length === 0 ? session.wireAmount : sumOf(received);
    return refunded > wireAmount ? [`${refunded} of ${wireAmount} was refunded for payment ${paymentId}`] : [];
  });
  const repeated = made.filter(
    ({ key }, index) => key !== null && made.findIndex((other) => other.key === key) !== index,
  );
  // A restored ledger cannot know that another transaction of the session went back, where the service keeps no marks.
  const isUnknown = ({ key, transactionId }: RefundEvidence) =>
    memory.restoredAt !== null &&
    !memory.keepsMarks &&
    made.filter((other) => other.key === key && other.transactionId === transactionId).length === 1;
  const repeatedKeys = new Set(repeated.filter((refund) => !isUnknown(refund)).map(({ key }) => key));
  return [...tooMuch, ...[...repeatedKeys].map((key) => `the refund ${key} was made twice`)];
}

/**
 * Automatic refunds are only for payments that do not pay an order. Their keys start with "rule:". To a clock that jumps ahead, a write has
 * settled that a store without conditional writes still carries out.
 */
function refundedByMistake({ orders, refunds, payments, memory, wasClockWrong = false }: Evidence): string[] {
  const { restoredAt } = memory;
  // A payment that a restored ledger knows and whose checkout began lately is marked paid before its refunds are read (decision 035).
  const isForgotten = ({ paymentId, completedAt }: RefundEvidence) => {
    const createdAt = payments.find(({ id }) => id === paymentId)?.createdAt ?? 0;
    return (
      restoredAt !== null && (completedAt ?? 0) <= restoredAt && restoredAt < createdAt + limits.refundsReadAfterMs
    );
  };
  const isByRule = ({ key, status }: RefundEvidence) => key?.startsWith("rule:") && status !== "failed";
  const byRule = refunds.filter((refund) => isByRule(refund) && !isForgotten(refund));
  const sure = orders.filter(({ writes }) => !(wasClockWrong && writes.kind === "read-then-write"));
  return sure.flatMap(({ ref, effects }) =>
    effects
      .filter((effect) => byRule.some(({ paymentId }) => paymentId === effect.paymentId))
      .map(({ paymentId }) => `${ref.orderId} shows payment ${paymentId}, which was refunded automatically`),
  );
}

function sumOf(movements: readonly Pick<RefundEvidence, "wireAmount">[]): number {
  return movements.reduce((sum, { wireAmount }) => sum + wireAmount, 0);
}
