import type { Evidence, RefundEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const exactlyOnce: Invariant = {
  id: "I1",
  title: "An order is marked paid at most once, and money goes back at most once and never more than came.",
  broken: (evidence) => [...paidTwice(evidence), ...givenBackTwice(evidence)],
};

function paidTwice({ orders }: Evidence): string[] {
  return orders
    .filter(({ effects }) => effects.length > 1)
    .map(({ ref, effects }) => `${ref.orderId} was marked paid ${effects.length} times`);
}

function givenBackTwice({ sessions, refunds }: Evidence): string[] {
  const made = refunds.filter(({ status }) => status !== "failed");
  const tooMuch = sessions.flatMap(({ paymentId, wireAmount }) => {
    const given = sumOf(made.filter((refund) => refund.paymentId === paymentId));
    return given > wireAmount ? [`${given} of ${wireAmount} was given back for payment ${paymentId}`] : [];
  });
  const keys = made.flatMap(({ key }) => (key === null ? [] : [key]));
  const twice = new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
  return [...tooMuch, ...[...twice].map((key) => `the refund ${key} was made twice`)];
}

function sumOf(refunds: readonly RefundEvidence[]): number {
  return refunds.reduce((sum, { wireAmount }) => sum + wireAmount, 0);
}
