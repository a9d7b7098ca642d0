import type { Evidence, RefundDecision } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const refundedOnce: Invariant = {
  id: "R1",
  title: "A decision to refund sends money back at most once, however often it is repeated and whatever was lost.",
  broken: ({ decisions, refunds }) =>
    decisions.flatMap(({ keys }) => {
      const made = refunds.filter(({ key, status }) => key !== null && keys.includes(key) && status !== "failed");
      return made.length > 1
        ? [`one decision to refund payment ${made[0]?.paymentId} was made ${made.length} times`]
        : [];
    }),
};

export const refundOfShownPayment: Invariant = {
  id: "R2",
  title: "A refund is of the payment that the order shows, unless the decision names another.",
  broken: (evidence) => evidence.decisions.flatMap((decision) => ofAnother(evidence, decision)),
};

function ofAnother({ refunds }: Evidence, { keys, paymentId, shown }: RefundDecision): string[] {
  const meant = paymentId ?? shown;
  if (meant === null) return [];
  return refunds
    .filter(({ key }) => key !== null && keys.includes(key))
    .filter((refund) => refund.paymentId !== meant)
    .map((refund) => `payment ${refund.paymentId} was refunded, and ${meant} was meant`);
}

export const toldWhatHappened: Invariant = {
  id: "R3",
  title: "What a store is told of a refund is what the service reports of that very refund.",
  broken: ({ toldRefunds, refunds }) =>
    toldRefunds.flatMap(({ refundId, paymentId, status, minor }) => {
      // A refund that was never made has no id at the service.
      if (refundId === "" && status === "failed") return [];
      const made = refunds.find(({ id }) => id === refundId);
      const told = `payment ${paymentId} was told to have a ${status} refund ${refundId} of ${minor}`;
      if (!made) return [`${told}, which the service does not know`];
      if (made.paymentId !== paymentId) return [`${told}, which is of payment ${made.paymentId}`];
      return made.status === status && made.wireAmount === minor ? [] : [`${told}, which is ${made.status}`];
    }),
};
