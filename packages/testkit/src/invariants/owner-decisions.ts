import { findingKey, type Payment } from "@tillkit/core";
import type { StatusChange } from "../stores/miniature-store.ts";
import type { Evidence, OrderEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const ownerDecisionsStand: Invariant = {
  id: "R5",
  title: "An owner's decision in the shop is never undone and never attributed to another payment.",
  findViolations: (evidence) =>
    evidence.orders.flatMap((order) => [
      ...undoneDecisions(order),
      ...misreadAsDuplicate(evidence, order),
      ...leftOnHold(evidence, order),
    ]),
};

export const newestDecisionShown: Invariant = {
  id: "R6",
  title: "Finally every order has the status of the newest decision about the order.",
  findViolations: ({ orders }) =>
    orders.flatMap(({ ref, statuses }) => {
      const last = statuses?.at(-1);
      const decided = statuses?.findLast(isDecision);
      if (!last || !decided) return [];
      // When we mark an order paid after the owner's decision, the paid status is the newest decision.
      if (last.by === "owner" || isPaidStatus(last)) return [];
      return wasInFlight(last, decided) ? [] : [decisionNotShown(ref.orderId, decided, last)];
    }),
};

export const acceptedAsSeen: Invariant = {
  id: "R7",
  title: "An owner accepts no difference that they did not see.",
  findViolations: ({ payments, acceptances }) =>
    payments.flatMap(({ id, waiver }) => {
      const seen = acceptances.filter(({ paymentId }) => paymentId === id).map((acceptance) => acceptance.seen);
      // Without a click on our page, the owner accepted the payment by the status of the order.
      if (waiver === null || seen.length === 0) return [];
      const accepted = findingKey(waiver.finding);
      return waiver.by !== OWNER || seen.includes(accepted) ? [] : [`payment ${id}: nobody saw ${accepted}`];
    }),
};

/** The name under which the simulated owner decides on our pages. */
const OWNER = "owner";

const PAID_STATUSES = new Set(["processing", "completed"]);
const DECIDED_STATUSES = new Set([...PAID_STATUSES, "cancelled", "trash"]);

function isDecision({ by, status }: StatusChange): boolean {
  return by === "owner" && DECIDED_STATUSES.has(status);
}

function isPaidStatus({ status }: StatusChange): boolean {
  return PAID_STATUSES.has(status);
}

// In a store without conditional writes, a request that was sent before the owner's decision can arrive after the decision.
function wasInFlight(change: StatusChange, decided: StatusChange): boolean {
  return change.sentAt <= decided.at;
}

function decisionNotShown(orderId: string, decided: StatusChange, last: StatusChange): string {
  return `the owner set ${orderId} to ${decided.status}, but its final status is ${last.status}`;
}

function undoneDecisions({ ref, statuses }: OrderEvidence): string[] {
  return (statuses ?? []).flatMap((change, index) => {
    if (change.by === "owner") return [];
    const decided = statuses?.slice(0, index).findLast(({ by }) => by === "owner");
    if (!decided || !isDecision(decided) || wasInFlight(change, decided)) return [];
    return isRestored(change, decided) || isOverwritten(decided, statuses?.[index - 1])
      ? []
      : [`the owner set ${ref.orderId} to ${decided.status}, and we changed its status to ${change.status}`];
  });
}

// A late hold of ours had overwritten the owner's decision to set the order to paid. This change sets the order to paid again.
function isRestored(change: StatusChange, decided: StatusChange): boolean {
  return isPaidStatus(decided) && isPaidStatus(change);
}

// A request in flight overwrote a cancellation. The store does not record which status was replaced, so nothing can restore the
// cancellation. An order that the owner set to paid is different: its payment date remains, so its status must be restored.
function isOverwritten(decided: StatusChange, shown: StatusChange | undefined): boolean {
  return !isPaidStatus(decided) && shown?.by === "us" && wasInFlight(shown, decided);
}

// A payment can be a duplicate only if the order has another payment.
function misreadAsDuplicate(evidence: Evidence, order: OrderEvidence): string[] {
  const { refunds, timeline, stateChanges, moneyFacts } = evidence;
  if (!order.isPaidManually) return [];
  const only = onlyPayment(evidence, order);
  if (!only) return [];
  const setAt = order.statuses?.find((change) => isDecision(change) && isPaidStatus(change))?.at ?? 0;
  // A timeline entry has the time of the process, whose clock may be wrong. A change of state has the true time.
  const wasRequestedBefore =
    timeline.some(({ paymentId, kind, at }) => paymentId === only.id && kind === "refund_requested" && at <= setAt) ||
    stateChanges.some(({ paymentId, to, at }) => paymentId === only.id && to === "refunding" && at <= setAt) ||
    moneyFacts.refundCommits.some(({ paymentId, at }) => paymentId === only.id && at <= setAt);
  // The key of an automatic refund starts with "rule:". What the service made before is no answer to the decision; a ledger that was
  // deleted since does not show that it was requested.
  const isRefundedByRule =
    !wasRequestedBefore &&
    refunds.some(
      ({ paymentId, key, completedAt }) =>
        paymentId === only.id && key?.startsWith("rule:") && (completedAt ?? setAt) >= setAt,
    );
  const orderId = order.ref.orderId;
  return [
    ...(only.state === "duplicate" ? [`the owner set ${orderId} to paid, but its only payment is a duplicate`] : []),
    ...(isRefundedByRule ? [`the owner set ${orderId} to paid, but its only payment was refunded automatically`] : []),
  ];
}

// The owner set the order of a held payment to paid. The next scheduled verification must treat the payment as accepted.
// While a clock is months ahead, the scheduled verifications of a held payment are over.
function leftOnHold(evidence: Evidence, order: OrderEvidence): string[] {
  if (evidence.wasClockWrong) return [];
  const setAt = order.statuses?.findLast(isDecision)?.at;
  if (!order.isPaidManually || setAt === undefined) return [];
  const only = onlyPayment(evidence, order);
  if (only?.state !== "review") return [];
  const isAcceptable = only.finding?.code === "amount_differs" || only.finding?.code === "total_changed";
  // The last scheduled verifications follow the expiry of the session.
  const isVerifiedAfterwards = (only.session?.expiresAt ?? evidence.gatheredAt) > setAt;
  return isAcceptable && isVerifiedAfterwards
    ? [`the owner set ${order.ref.orderId} to paid, but its payment is still held`]
    : [];
}

/** The payment of the order whose session is completed, or null if there are none or several. */
function onlyPayment({ payments, sessions }: Evidence, { ref }: OrderEvidence): Payment | null {
  const paid = payments.filter(
    (payment) =>
      payment.ref.orderId === ref.orderId &&
      payment.ref.storeId === ref.storeId &&
      sessions.some(({ paymentId, completedAt }) => paymentId === payment.id && completedAt !== null),
  );
  return paid.length === 1 ? (paid[0] ?? null) : null;
}
