import type { Evidence, RefundDecision } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const refundedOnce: Invariant = {
  id: "R1",
  title: "A decision to refund sends money back at most once, however often it is repeated and whatever was lost.",
  // Two decisions of the same amount that are both in doubt cannot be told apart, and need not be: each counts once.
  findViolations: ({ decisions, refunds }) => {
    const abouts = [...new Set(decisions.map(({ subject }) => subject))];
    return abouts.flatMap((about) => {
      const same = decisions.filter((decision) => decision.subject === about);
      const keys = new Set(same.flatMap((decision) => decision.keys));
      const made = refunds.filter(({ key, status }) => key !== null && keys.has(key) && status !== "failed");
      return made.length > same.length
        ? [`${same.length} decisions to refund ${about} were made ${made.length} times`]
        : [];
    });
  },
};

export const refundsShownPayment: Invariant = {
  id: "R2",
  title: "A refund is of the payment that the order shows, unless the decision names another.",
  findViolations: (evidence) => evidence.decisions.flatMap((decision) => refundedOtherPayment(evidence, decision)),
};

function refundedOtherPayment({ refunds }: Evidence, { keys, paymentId, shownPaymentId }: RefundDecision): string[] {
  const meant = paymentId ?? shownPaymentId;
  if (meant === null) return [];
  return refunds
    .filter(({ key }) => key !== null && keys.includes(key))
    .filter((refund) => refund.paymentId !== meant)
    .map((refund) => `payment ${refund.paymentId} was refunded, and ${meant} was meant`);
}

export const recordedRefundsMatch: Invariant = {
  id: "R3",
  title: "What a store is told of a refund is what the service reports of that very refund.",
  findViolations: (evidence) => [...wronglyRecorded(evidence), ...missedRefunds(evidence)],
};

// What was asked for here and went back entirely is known here, whatever webhooks were lost.
function missedRefunds({ payments, sessions, refunds }: Evidence): string[] {
  return payments.flatMap(({ id, state }) => {
    const asked = sessions.find(({ paymentId }) => paymentId === id)?.wireAmount;
    const own = refunds.filter(
      ({ paymentId, key, status }) => paymentId === id && key !== null && status === "completed",
    );
    const back = own.reduce((sum, { wireAmount }) => sum + wireAmount, 0);
    const isBack = asked !== undefined && own.length > 0 && back >= asked;
    return isBack && state !== "refunded" ? [`payment ${id} was refunded entirely, and is ${state}`] : [];
  });
}

function wronglyRecorded({ recordedRefunds, refunds }: Evidence): string[] {
  return recordedRefunds.flatMap(({ refundId, paymentId, status, minor }) => {
    // A refund that was never made has no id at the service.
    if (refundId === "" && status === "failed") return [];
    const made = refunds.find(({ id }) => id === refundId);
    const told = `payment ${paymentId} was told to have a ${status} refund ${refundId} of ${minor}`;
    if (!made) return [`${told}, which the service does not know`];
    if (made.paymentId !== paymentId) return [`${told}, which is of payment ${made.paymentId}`];
    return made.status === status && made.wireAmount === minor ? [] : [`${told}, which is ${made.status}`];
  });
}
