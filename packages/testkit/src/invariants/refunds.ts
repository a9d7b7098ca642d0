import type { Evidence, RefundDecision, RefundEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const refundedOnce: Invariant = {
  id: "R1",
  title: "A decision to refund makes at most one refund, however often the decision is repeated and whatever was lost.",
  // Two decisions to refund the same amount of the same payment cannot be distinguished, so their refunds are counted together.
  findViolations: ({ decisions, refunds }) => {
    const subjects = [...new Set(decisions.map(({ subject }) => subject))];
    return subjects.flatMap((subject) => {
      const sameDecisions = decisions.filter((decision) => decision.subject === subject);
      const keys = new Set(sameDecisions.flatMap((decision) => decision.keys));
      const made = refunds.filter(({ key, status }) => key !== null && keys.has(key) && status !== "failed");
      return made.length > sameDecisions.length
        ? [`${sameDecisions.length} decisions to refund ${subject} made ${made.length} refunds`]
        : [];
    });
  },
};

export const refundsShownPayment: Invariant = {
  id: "R2",
  title: "A refund applies to the payment that the order shows, unless the decision names another payment.",
  findViolations: (evidence) => evidence.decisions.flatMap((decision) => refundedOtherPayment(evidence, decision)),
};

function refundedOtherPayment({ refunds }: Evidence, { keys, paymentId, shownPaymentId }: RefundDecision): string[] {
  const meant = paymentId ?? shownPaymentId;
  if (meant === null) return [];
  return refunds
    .filter(({ key }) => key !== null && keys.includes(key))
    .filter((refund) => refund.paymentId !== meant)
    .map((refund) => `payment ${refund.paymentId} was refunded instead of ${meant}`);
}

export const recordedRefundsMatch: Invariant = {
  id: "R3",
  title:
    "A refund is recorded in the store and in the ledger exactly as the service reports it, and an order shows it once.",
  findViolations: (evidence) => [
    ...wrongRecords(evidence),
    ...missedRefunds(evidence),
    ...outdatedResults(evidence),
    ...shownTwice(evidence),
  ],
};

// The ledger has read the refund's id, so it knows which refund it is.
function outdatedResults({ ledgerMoney, refunds, memory }: Evidence): string[] {
  if (memory.restoredAt !== null) return [];
  return ledgerMoney.flatMap(({ paymentId, refunds: stored }) =>
    stored.flatMap(({ refundId, state }) => {
      const made = refunds.find(({ id }) => id === refundId);
      return made === undefined || made.status === "pending" || made.status === state
        ? []
        : [`the refund ${made.id} of payment ${paymentId} is ${made.status}, but the ledger shows it as ${state}`];
    }),
  );
}

// To a clock that was set back, an earlier write has settled once the clock is right again. Only a conditional write is refused then.
function shownTwice({ orders, wasClockWrong = false }: Evidence): string[] {
  const sure = orders.filter(({ writes }) => !(wasClockWrong && writes.kind === "read-then-write"));
  return sure.flatMap(({ ref, refunds = [] }) =>
    refunds
      .filter((id, index) => refunds.indexOf(id) !== index)
      .map((id) => `${ref.orderId} shows the refund ${id} twice`),
  );
}

// A complete refund that we requested must be in the ledger, also when its webhooks were lost.
function missedRefunds(evidence: Evidence): string[] {
  const { payments, sessions, refunds } = evidence;
  return payments.flatMap(({ id, state, transactionId }) => {
    // What a ledger must know of its refunds after a restore is an invariant of its own (`ledger-memory.ts`).
    if (evidence.memory.restoredAt !== null) return [];
    const paidAmount = sessions.find(({ paymentId }) => paymentId === id)?.wireAmount;
    const own = refunds.filter(
      (refund) =>
        refund.paymentId === id &&
        refund.key !== null &&
        refund.status === "completed" &&
        (refund.transactionId ?? transactionId) === transactionId,
    );
    const refundedAmount = own.reduce((sum, { wireAmount }) => sum + wireAmount, 0);
    const isRefundedCompletely = paidAmount !== undefined && own.length > 0 && refundedAmount >= paidAmount;
    return isRefundedCompletely && state !== "refunded"
      ? [`payment ${id} was refunded completely, but is ${state}`]
      : [];
  });
}

function wrongRecords({ recordedRefunds, refunds, memory }: Evidence): string[] {
  // A restored ledger cannot recognize a refund that it had made under this key, if the service keeps no marks.
  const isForgotten = ({ madeAt, completedAt }: RefundEvidence) =>
    !memory.keepsMarks && (madeAt ?? completedAt ?? 0) <= (memory.restoredAt ?? -1);
  // The restored ledger knows nothing of the refusal, and the key names a decision of its own.
  const isDecidedAgain = ({ madeAt = 0 }: RefundEvidence, toldAt = Number.POSITIVE_INFINITY) =>
    memory.restoredAt !== null && toldAt <= memory.restoredAt && memory.restoredAt < madeAt;
  return recordedRefunds.flatMap(({ refundId, key, paymentId, status, minor, at }) => {
    // The id is empty when the service refused the refund: the service made none.
    if (refundId === "" && status === "failed") {
      const made = refunds.filter((refund) => refund.key === key && refund.status !== "failed");
      const isMade = made.some((refund) => !isForgotten(refund) && !isDecidedAgain(refund, at));
      return isMade ? [`the refund ${key} of ${minor} was recorded as failed, but the service made it`] : [];
    }
    // The person who looked in the dashboard told no id, and the request that was made may have had another key.
    const couldBe = (refund: RefundEvidence) =>
      refund.paymentId === paymentId && refund.wireAmount === minor && refund.status === status;
    const made = refunds.find((refund) => (refundId === "" ? couldBe(refund) : refund.id === refundId));
    const recorded = `a ${status} refund ${refundId} of ${minor} was recorded for payment ${paymentId}`;
    if (!made) return [`${recorded}, but the service does not know the refund`];
    if (made.paymentId !== paymentId) return [`${recorded}, but the refund belongs to payment ${made.paymentId}`];
    const isEqual = made.status === status && made.wireAmount === minor;
    return isEqual ? [] : [`${recorded}, but the service has a ${made.status} refund of ${made.wireAmount}`];
  });
}
