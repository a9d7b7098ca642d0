import type { Payment } from "@tillkit/core";
import type { Evidence, OrderEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

/** Where money that arrived can be seen: on the order, beside it with a note, or on its way back. */
const SEEN: readonly Payment["state"][] = ["recorded", "duplicate", "refunding", "refunded"];

export const visible: Invariant = {
  id: "I9",
  title: "Every difference, duplicate and parked job can be seen with its reason.",
  broken: (evidence) => [...hiddenMoney(evidence), ...hiddenFromOwner(evidence), ...silentlyParked(evidence)],
};

function hiddenMoney({ payments, sessions, orders }: Evidence): string[] {
  return payments.flatMap(({ id, ref, state, finding }) => {
    const order = orders.find((one) => one.ref.orderId === ref.orderId && one.ref.storeId === ref.storeId);
    const isShown = order?.effects.some(({ paymentId }) => paymentId === id) || order?.namedPayment === id;
    if (state === "recorded" && order && !isShown) {
      return [`payment ${id} counts as recorded, and ${ref.orderId} shows nothing of it`];
    }
    const paid = sessions.some(({ paymentId, completedAt }) => paymentId === id && completedAt !== null);
    if (state === "review" && finding === null) return [`payment ${id} is under review for no reason`];
    if (!paid || SEEN.includes(state) || state === "review") return [];
    return [`payment ${id} is ${state} although its session is completed`];
  });
}

function hiddenFromOwner({ orders, payments }: Evidence): string[] {
  return orders.flatMap((order) => {
    const own = payments.filter(({ ref }) => ref.orderId === order.ref.orderId && ref.storeId === order.ref.storeId);
    return [...unseen(order, order.holds, own, "review"), ...unseen(order, order.notes, own, "duplicate")];
  });
}

function unseen(
  { ref }: OrderEvidence,
  shown: readonly string[] | null,
  payments: readonly Payment[],
  state: Payment["state"],
): string[] {
  const wanted = payments.filter((payment) => payment.state === state).length;
  if (shown === null || wanted === 0 || shown.length > 0) return [];
  return [`${ref.orderId} has ${wanted} payments in ${state}, and the shop shows none`];
}

function silentlyParked({ parked }: Evidence): string[] {
  return parked
    .filter(({ reason }) => reason.trim() === "")
    .map(({ kind, paymentId }) => `a ${kind} job of payment ${paymentId ?? "none"} is parked for no reason`);
}
