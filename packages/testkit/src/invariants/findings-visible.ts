import type { Payment } from "@tillkit/core";
import type { Evidence, OrderEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

/** Where money that arrived can be seen: on the order, beside it with a note, or on its way back. */
const VISIBLE_STATES: readonly Payment["state"][] = ["recorded", "duplicate", "refunding", "refunded"];

export const findingsVisible: Invariant = {
  id: "I9",
  title: "Every difference, duplicate and parked job can be seen with its reason.",
  findViolations: (evidence) => [
    ...hiddenPayments(evidence),
    ...hiddenFromOwner(evidence),
    ...deadJobsWithoutReason(evidence),
  ],
};

function hiddenPayments({ payments, sessions, orders }: Evidence): string[] {
  return payments.flatMap(({ id, ref, state, finding }) => {
    const order = orders.find((one) => one.ref.orderId === ref.orderId && one.ref.storeId === ref.storeId);
    const isShown = order?.effects.some(({ paymentId }) => paymentId === id) || order?.namedPayment === id;
    if (state === "recorded" && order && !isShown) {
      return [`payment ${id} counts as recorded, and ${ref.orderId} shows nothing of it`];
    }
    const paid = sessions.some(({ paymentId, completedAt }) => paymentId === id && completedAt !== null);
    if (state === "review" && finding === null) return [`payment ${id} is under review for no reason`];
    if (!paid || VISIBLE_STATES.includes(state) || state === "review") return [];
    return [`payment ${id} is ${state} although its session is completed`];
  });
}

function hiddenFromOwner({ orders, payments }: Evidence): string[] {
  return orders.flatMap((order) => {
    const own = payments.filter(({ ref }) => ref.orderId === order.ref.orderId && ref.storeId === order.ref.storeId);
    return [...notShown(order, order.holds, own, "review"), ...notShown(order, order.notes, own, "duplicate")];
  });
}

function notShown(
  { ref }: OrderEvidence,
  shown: readonly string[] | null,
  payments: readonly Payment[],
  state: Payment["state"],
): string[] {
  const wanted = payments.filter((payment) => payment.state === state).length;
  if (shown === null || wanted === 0 || shown.length > 0) return [];
  return [`${ref.orderId} has ${wanted} payments in ${state}, and the shop shows none`];
}

function deadJobsWithoutReason({ deadJobs }: Evidence): string[] {
  return deadJobs
    .filter(({ reason }) => reason.trim() === "")
    .map(({ kind, paymentId }) => `a ${kind} job of payment ${paymentId ?? "none"} is parked for no reason`);
}
