import { findingKey, type Payment } from "@tillkit/core";
import type { Evidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";
import { isForgotten } from "./ledger-memory.ts";

/** The states that a payment may have while the shop shows that the payment paid its order. */
const PAID_STATES: readonly Payment["state"][] = ["recorded", "refunded"];

export const paidStaysPaid: Invariant = {
  id: "I4",
  title: "A paid order stays paid, and a payment becomes refunded only by refunds that the service shows.",
  findViolations: (evidence) => [
    ...backwardChanges(evidence),
    ...refundedWithoutRefund(evidence),
    ...paidOrdersWithoutPayment(evidence),
  ],
};

function backwardChanges({ stateChanges }: Evidence): string[] {
  return stateChanges
    .filter(({ from, to }) => (from === "recorded" && to !== "refunded") || from === "refunded")
    .map(({ paymentId, from, to }) => `payment ${paymentId} went from ${from} to ${to}`);
}

function refundedWithoutRefund({ payments, refunds, sessions }: Evidence): string[] {
  return payments
    .filter(({ state }) => state === "refunded")
    .flatMap(({ id, wireAmount }) => {
      const made = refunds.filter(({ paymentId, status }) => paymentId === id && status === "completed");
      // A session can receive several transactions. Money that went back from one of them says nothing about the others.
      const ofTransactions = [...new Set(made.map(({ transactionId }) => transactionId))].map((transaction) =>
        made
          .filter(({ transactionId }) => transactionId === transaction)
          .reduce((sum, refund) => sum + refund.wireAmount, 0),
      );
      const refundedAmount = Math.max(0, ...ofTransactions);
      const session = sessions.find(({ paymentId }) => paymentId === id);
      const paidAmount = Math.min(wireAmount, session?.wireAmount ?? wireAmount);
      return refundedAmount >= paidAmount
        ? []
        : [`payment ${id} is refunded, but only ${refundedAmount} of ${paidAmount} was refunded`];
    });
}

function paidOrdersWithoutPayment(evidence: Evidence): string[] {
  const { orders, payments, memory } = evidence;
  return orders.flatMap(({ ref, retryScheduleMs, effects: [first] }) => {
    const payment = payments.find(({ id }) => id === first?.paymentId);
    if (!payment || PAID_STATES.includes(payment.state) || isForgotten({ memory }, payment.id)) return [];
    // Nobody knows of a write whose answers were lost by a store that cannot be read (it has a retry schedule instead), or that a restored
    // ledger forgot. What differs since then is held, and a person is told: an order that was edited, money that a dispute took.
    const isUnreadable = retryScheduleMs !== undefined && payment.storeTries > 0 && payment.finding !== null;
    const isForgottenWrite = memory.restoredAt !== null && payment.finding?.code === "lost_to_dispute";
    if (isUnreadable || isForgottenWrite || isForgottenAcceptance(evidence, payment)) return [];
    return [`${ref.orderId} is paid by payment ${payment.id}, which is ${payment.state}`];
  });
}

// A restored ledger forgot that a person had accepted the very difference for which it holds the payment. The person is told of it again.
function isForgottenAcceptance(
  { acceptances, memory: { restoredAt } }: Evidence,
  { id, state, finding }: Payment,
): boolean {
  if (restoredAt === null || state !== "review" || finding === null) return false;
  const own = acceptances.filter(({ paymentId, seen }) => paymentId === id && seen === findingKey(finding));
  return own.length > 0 && own.every(({ at }) => at < restoredAt);
}
