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
      const decided = statuses?.findLast((change) => isDecision(change));
      if (!last || !decided || last.by === "owner" || DECIDED_BY_US.has(last.status)) return [];
      return wasInFlight(last, decided) ? [] : [decisionNotShown(ref.orderId, decided, last)];
    }),
};

const PAID = new Set(["processing", "completed"]);
const FINAL = new Set([...PAID, "cancelled", "trash"]);
/** When we mark an order paid after the owner's last decision, that is the newest decision about the order. */
const DECIDED_BY_US = PAID;

function isDecision({ by, status }: StatusChange): boolean {
  return by === "owner" && FINAL.has(status);
}

function isPaidStatus({ status }: StatusChange): boolean {
  return PAID.has(status);
}

// In a store without conditional writes, a request that was sent before the owner's decision can land after it.
function wasInFlight(change: StatusChange, decided: StatusChange): boolean {
  return change.sentAt <= decided.at;
}

function decisionNotShown(orderId: string, decided: StatusChange, last: StatusChange): string {
  return `the owner set ${orderId} to ${decided.status}, but its final status is ${last.status}`;
}

function undoneDecisions({ ref, statuses }: OrderEvidence): string[] {
  return (statuses ?? []).flatMap((change, index) => {
    const before = statuses?.slice(0, index).findLast(({ by }) => by === "owner");
    if (!before || change.by === "owner" || !FINAL.has(before.status) || wasInFlight(change, before)) return [];
    return isRestored(change, before) || isOverwritten(before, statuses?.[index - 1])
      ? []
      : [`the owner set ${ref.orderId} to ${before.status}, and we changed it to ${change.status}`];
  });
}

// Our own late hold overwrote the owner's decision to set the order to paid. The next write sets the order to paid again.
function isRestored(change: StatusChange, before: StatusChange): boolean {
  return isPaidStatus(before) && isPaidStatus(change);
}

// A request in flight overwrote a cancellation, and the store keeps no record of the replaced status. After an owner set an
// order to paid, the order's payment date is such a record, so that status must be restored.
function isOverwritten(decided: StatusChange, shown: StatusChange | undefined): boolean {
  return !isPaidStatus(decided) && shown?.by === "us" && wasInFlight(shown, decided);
}

// A payment can be a duplicate only if the order has another payment.
function misreadAsDuplicate(evidence: Evidence, order: OrderEvidence): string[] {
  const { payments, sessions, refunds, timeline, stateChanges } = evidence;
  if (!order.isPaidManually) return [];
  const own = payments.filter(({ ref }) => ref.orderId === order.ref.orderId && ref.storeId === order.ref.storeId);
  const paid = own.filter(({ id }) => sessions.some((one) => one.paymentId === id && one.completedAt !== null));
  const [only] = paid;
  if (paid.length !== 1 || !only) return [];
  const setAt = order.statuses?.find((change) => isDecision(change) && isPaidStatus(change))?.at ?? 0;
  // The timeline has the time of the process, whose clock may differ from the owner's. A change of state has the true time.
  const wasRequestedBefore =
    timeline.some(({ paymentId, kind, at }) => paymentId === only.id && kind === "refund_requested" && at <= setAt) ||
    stateChanges.some(({ paymentId, to, at }) => paymentId === only.id && to === "refunding" && at <= setAt);
  const byRule =
    !wasRequestedBefore && refunds.some(({ paymentId, key }) => paymentId === only.id && key?.startsWith("rule:"));
  const orderId = order.ref.orderId;
  return [
    ...(only.state === "duplicate" ? [`the owner set ${orderId} to paid, but its only payment is a duplicate`] : []),
    ...(byRule ? [`the owner set ${orderId} to paid, but its only payment was refunded automatically`] : []),
  ];
}

// The owner set the order of a held payment to paid. The next scheduled verification must treat the payment as accepted.
function leftOnHold({ payments, sessions, gatheredAt }: Evidence, order: OrderEvidence): string[] {
  const setAt = order.statuses?.findLast(isDecision)?.at;
  if (!order.isPaidManually || setAt === undefined) return [];
  const own = payments.filter(({ ref }) => ref.orderId === order.ref.orderId && ref.storeId === order.ref.storeId);
  const paid = own.filter(({ id }) => sessions.some((one) => one.paymentId === id && one.completedAt !== null));
  const [only] = paid;
  if (paid.length !== 1 || !only || only.state !== "review") return [];
  const isAcceptable = only.finding?.code === "amount_differs" || only.finding?.code === "total_changed";
  const hasReadAfterwards = (only.session?.expiresAt ?? gatheredAt) > setAt;
  return isAcceptable && hasReadAfterwards
    ? [`the owner set ${order.ref.orderId} to paid, but its payment is still held`]
    : [];
}
