import type { StatusChange } from "../stores/miniature-store.ts";
import type { Evidence, OrderEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const ownerDecisionsStand: Invariant = {
  id: "R5",
  title: "What the owner decided in the shop is never undone, and never read as another payment's.",
  findViolations: (evidence) =>
    evidence.orders.flatMap((order) => [
      ...undoneDecisions(order),
      ...misreadAsDuplicate(evidence, order),
      ...leftOnHold(evidence, order),
    ]),
};

export const newestDecisionShown: Invariant = {
  id: "R6",
  title: "After quiet an order has the status of the newest decision about it.",
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
/** Paying an order is a decision too: the newest one where it comes after the owner's. */
const DECIDED_BY_US = PAID;

function isDecision({ by, status }: StatusChange): boolean {
  return by === "owner" && FINAL.has(status);
}

function isPaidStatus({ status }: StatusChange): boolean {
  return PAID.has(status);
}

// A store that cannot be written conditionally lets a request land that left before the owner decided.
function wasInFlight(change: StatusChange, decided: StatusChange): boolean {
  return change.sentAt <= decided.at;
}

function decisionNotShown(orderId: string, decided: StatusChange, last: StatusChange): string {
  return `${orderId} was set to ${decided.status} by its owner and is ${last.status} at the end`;
}

function undoneDecisions({ ref, statuses }: OrderEvidence): string[] {
  return (statuses ?? []).flatMap((change, index) => {
    const before = statuses?.slice(0, index).findLast(({ by }) => by === "owner");
    if (!before || change.by === "owner" || !FINAL.has(before.status) || wasInFlight(change, before)) return [];
    return isRestored(change, before) || isOverwritten(before, statuses?.[index - 1])
      ? []
      : [`${ref.orderId} was ${before.status} by its owner and became ${change.status}`];
  });
}

// Our own late hold landed over the owner's decision, and the next write mends that.
function isRestored(change: StatusChange, before: StatusChange): boolean {
  return isPaidStatus(before) && isPaidStatus(change);
}

// A request that was under way landed over a cancellation, and such a store keeps no trace of what it replaced. An order that
// the owner set to paid keeps the time of it.
function isOverwritten(decided: StatusChange, shown: StatusChange | undefined): boolean {
  return !isPaidStatus(decided) && shown?.by === "us" && wasInFlight(shown, decided);
}

// A second payment of an order has a first one: money of ours, or of somebody else.
function misreadAsDuplicate({ payments, sessions, refunds, timeline }: Evidence, order: OrderEvidence): string[] {
  if (!order.isPaidManually) return [];
  const own = payments.filter(({ ref }) => ref.orderId === order.ref.orderId && ref.storeId === order.ref.storeId);
  const paid = own.filter(({ id }) => sessions.some((one) => one.paymentId === id && one.completedAt !== null));
  const [only] = paid;
  if (paid.length !== 1 || !only) return [];
  const setAt = order.statuses?.find((change) => isDecision(change) && isPaidStatus(change))?.at ?? 0;
  const wasAskedBefore = timeline.some(({ paymentId, kind, at }) => {
    return paymentId === only.id && kind === "refund_asked" && at <= setAt;
  });
  const byRule =
    !wasAskedBefore && refunds.some(({ paymentId, key }) => paymentId === only.id && key?.startsWith("rule:"));
  const orderId = order.ref.orderId;
  return [
    ...(only.state === "duplicate"
      ? [`${orderId} was set to paid by its owner, and its only payment is a duplicate`]
      : []),
    ...(byRule ? [`${orderId} was set to paid by its owner, and its only payment was refunded by rule`] : []),
  ];
}

// The owner saw the payment held and set the order to paid: the next scheduled look counts it as accepted.
function leftOnHold({ payments, sessions, gatheredAt }: Evidence, order: OrderEvidence): string[] {
  const setAt = order.statuses?.findLast(isDecision)?.at;
  if (!order.isPaidManually || setAt === undefined) return [];
  const own = payments.filter(({ ref }) => ref.orderId === order.ref.orderId && ref.storeId === order.ref.storeId);
  const paid = own.filter(({ id }) => sessions.some((one) => one.paymentId === id && one.completedAt !== null));
  const [only] = paid;
  if (paid.length !== 1 || !only || only.state !== "review") return [];
  const isAcceptable = only.finding?.code === "amount_differs" || only.finding?.code === "total_changed";
  const wasReadSince = (only.session?.expiresAt ?? gatheredAt) > setAt;
  return isAcceptable && wasReadSince
    ? [`${order.ref.orderId} was set to paid by its owner, and its payment is still held`]
    : [];
}
