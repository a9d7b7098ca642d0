import type { Payment } from "@tillkit/core";
import type { Evidence, OrderEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

/** The states in which a received payment is visible: on the order, in a note, or as a refund. */
const VISIBLE_STATES: readonly Payment["state"][] = ["recorded", "duplicate", "refunding", "refunded"];

export const findingsVisible: Invariant = {
  id: "I9",
  title: "Every finding, duplicate payment and dead-letter job is visible with its reason.",
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
      return [`payment ${id} is recorded, but ${ref.orderId} does not show it`];
    }
    const isPaid = sessions.some(({ paymentId, completedAt }) => paymentId === id && completedAt !== null);
    if (state === "review" && finding === null) return [`payment ${id} is in review without a finding`];
    if (!isPaid || VISIBLE_STATES.includes(state) || state === "review") return [];
    return [`payment ${id} is ${state} although its session is completed`];
  });
}

function hiddenFromOwner({ orders, payments }: Evidence): string[] {
  return orders.flatMap((order) => {
    const own = payments.filter(({ ref }) => ref.orderId === order.ref.orderId && ref.storeId === order.ref.storeId);
    return [
      ...notShown({ order, shown: order.holds, payments: own, state: "review" }),
      ...notShown({ order, shown: order.notes, payments: own, state: "duplicate" }),
    ];
  });
}

/** `shown`: the holds or notes of the order, or null if the shop shows none to anybody. */
function notShown({
  order: { ref },
  shown,
  payments,
  state,
}: {
  readonly order: OrderEvidence;
  readonly shown: readonly string[] | null;
  readonly payments: readonly Payment[];
  readonly state: Payment["state"];
}): string[] {
  const count = payments.filter((payment) => payment.state === state).length;
  if (shown === null || count === 0 || shown.length > 0) return [];
  return [`${ref.orderId} has ${count} payments in ${state}, but the shop shows none`];
}

function deadJobsWithoutReason({ deadJobs }: Evidence): string[] {
  return deadJobs
    .filter(({ reason }) => reason.trim() === "")
    .map(
      ({ kind, paymentId }) => `a ${kind} job of payment ${paymentId ?? "none"} is a dead-letter job without a reason`,
    );
}
