import type { Payment } from "@tillkit/core";
import type { Evidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

/** Where a payment may be whose order the shop shows as paid by it. */
const STAYS: readonly Payment["state"][] = ["recorded", "refunded"];

export const paidStaysPaid: Invariant = {
  id: "I4",
  title: "What is paid stays paid; only a refund that the service shows takes it back.",
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
      const back = made.reduce((sum, refund) => sum + refund.wireAmount, 0);
      const owed = Math.min(wireAmount, sessions.find(({ paymentId }) => paymentId === id)?.wireAmount ?? wireAmount);
      return back >= owed ? [] : [`payment ${id} is refunded, yet only ${back} of ${owed} went back`];
    });
}

function leftPaidOrder({ orders, payments }: Evidence): string[] {
  return orders.flatMap(({ ref, effects: [first] }) => {
    const payment = payments.find(({ id }) => id === first?.paymentId);
    if (!payment || STAYS.includes(payment.state)) return [];
    return [`${ref.orderId} is paid by payment ${payment.id}, which is ${payment.state}`];
  });
}
