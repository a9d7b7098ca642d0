import type { Payment } from "@tillkit/core";
import type { Evidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

/** The states that a payment may have while the shop shows its order as paid by the payment. */
const STAYS: readonly Payment["state"][] = ["recorded", "refunded"];

export const paidStaysPaid: Invariant = {
  id: "I4",
  title: "A paid order stays paid, and a payment becomes refunded only by refunds that the service shows.",
  findViolations: (evidence) => [...wentBack(evidence), ...refundedWithoutRefund(evidence), ...leftPaidOrder(evidence)],
};

function wentBack({ stateChanges }: Evidence): string[] {
  return stateChanges
    .filter(({ from, to }) => (from === "recorded" && to !== "refunded") || from === "refunded")
    .map(({ paymentId, from, to }) => `payment ${paymentId} went from ${from} to ${to}`);
}

function refundedWithoutRefund({ payments, refunds, sessions }: Evidence): string[] {
  return payments
    .filter(({ state }) => state === "refunded")
    .flatMap(({ id, wireAmount }) => {
      const made = refunds.filter(({ paymentId, status }) => paymentId === id && status === "completed");
      const refundedAmount = made.reduce((sum, refund) => sum + refund.wireAmount, 0);
      const paidAmount = Math.min(
        wireAmount,
        sessions.find(({ paymentId }) => paymentId === id)?.wireAmount ?? wireAmount,
      );
      return refundedAmount >= paidAmount
        ? []
        : [`payment ${id} is refunded, but only ${refundedAmount} of ${paidAmount} was refunded`];
    });
}

function leftPaidOrder({ orders, payments }: Evidence): string[] {
  return orders.flatMap(({ ref, effects: [first] }) => {
    const payment = payments.find(({ id }) => id === first?.paymentId);
    if (!payment || STAYS.includes(payment.state)) return [];
    return [`${ref.orderId} is paid by payment ${payment.id}, which is ${payment.state}`];
  });
}
