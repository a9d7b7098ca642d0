import type { Payment } from "@tillkit/core";
import { isShownBy } from "./agreement.ts";
import type { Evidence, OrderEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";
import { isForgotten } from "./ledger-memory.ts";

/** The states in which the merchant sees a received payment: on the order, in a note, as a refund or as held for review. */
const VISIBLE_STATES: readonly Payment["state"][] = ["recorded", "duplicate", "refunding", "refunded", "review"];

export const findingsVisible: Invariant = {
  id: "I9",
  title: "Every finding, duplicate payment and dead-letter job is visible with its reason.",
  findViolations: (evidence) => [
    ...hiddenPayments(evidence),
    ...ordersHidingPayments(evidence),
    ...deadJobsWithoutReason(evidence),
  ],
};

function hiddenPayments(evidence: Evidence): string[] {
  const { payments, sessions, orders } = evidence;
  return payments.flatMap(({ id, ref, state, finding }) => {
    const order = orders.find((other) => other.ref.orderId === ref.orderId && other.ref.storeId === ref.storeId);
    if (state === "recorded" && order && !isShownBy(evidence, order, id)) {
      return [`payment ${id} is recorded, but ${ref.orderId} does not show it`];
    }
    if (state === "review" && finding === null) return [`payment ${id} is in review without a finding`];
    if (isForgotten(evidence, id)) return [];
    const isPaid = sessions.some(({ paymentId, completedAt }) => paymentId === id && completedAt !== null);
    return isPaid && !VISIBLE_STATES.includes(state)
      ? [`payment ${id} is ${state} although its session is completed`]
      : [];
  });
}

function ordersHidingPayments({ orders, payments }: Evidence): string[] {
  return orders.flatMap((order) => {
    const own = payments.filter(({ ref }) => ref.orderId === order.ref.orderId && ref.storeId === order.ref.storeId);
    return [
      ...paymentsNotShown({ order, shown: order.holds, payments: own, state: "review" }),
      ...paymentsNotShown({ order, shown: order.notes, payments: own, state: "duplicate" }),
    ];
  });
}

/** `shown`: the holds or notes of the order, or null if the shop has no place for holds or notes. */
function paymentsNotShown({
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
