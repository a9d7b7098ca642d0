import { type Money, type Payment, sameMoney } from "@tillkit/core";
import { wasRecorded } from "@tillkit/core/ledger";
import type { Evidence, OrderEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";
import { isForgotten } from "./ledger-memory.ts";

export const storeAgrees: Invariant = {
  id: "M6",
  title:
    "Whatever bound of time failed, a store that can be read agrees with the ledger after 30 quiet minutes, or a person was told. Where none failed, no order is marked paid by a payment that we had decided to refund.",
  findViolations: (evidence) =>
    evidence.orders.flatMap((order) => [
      ...shownByStoreAlone(evidence, order),
      ...recordedAlone(evidence, order),
      ...paidAfterRefund(evidence, order),
    ]),
};

// While our own write may still mark the order paid, its payment is not refunded. Where a bound of time failed, a person was told.
function paidAfterRefund(evidence: Evidence, { ref, effects }: OrderEvidence): string[] {
  const { payments, moneyFacts, refunds, memory, isAxiomBroken, wasClockWrong, wasAsleep } = evidence;
  if (isAxiomBroken || wasClockWrong || wasAsleep || memory.restoredAt !== null) return [];
  return effects.flatMap(({ paymentId, at }) => {
    const payment = payments.find(({ id }) => id === paymentId);
    const isWhole = ({ amount }: { readonly amount: Money }) =>
      payment !== undefined && sameMoney(amount, payment.amountReceived ?? payment.amountDue);
    const isMade = (key: string) => refunds.some((refund) => refund.key === key && refund.status !== "failed");
    // A further transaction of the session is the shopper's, whatever becomes of the order.
    const earlier = moneyFacts.refundCommits.filter(
      (commit) => commit.paymentId === paymentId && commit.transactionId === payment?.transactionId && commit.at < at,
    );
    return earlier.some((commit) => isWhole(commit) && isMade(commit.key))
      ? [`${ref.orderId} was marked paid by payment ${paymentId} after we had decided to refund it`]
      : [];
  });
}

// A payment in review is shown to the owner with its finding.
const AGREED: ReadonlySet<Payment["state"]> = new Set(["recorded", "review"]);

function shownByStoreAlone(evidence: Evidence, { ref, namedPayment, ...order }: OrderEvidence): string[] {
  const { payments, timeline, memory } = evidence;
  // A store with a retry schedule of its own can only be written to. An order that something else paid shows that.
  const isReadable = order.retryScheduleMs === undefined && order.isPaidOutside !== true;
  const payment = payments.find(({ id }) => id === namedPayment);
  if (!isReadable || !payment || memory.restoredAt !== null || AGREED.has(payment.state)) return [];
  const own = timeline.filter(({ paymentId }) => paymentId === payment.id);
  // A payment that was recorded and refunded later stays on its order.
  const isExplained = wasRecorded(own);
  const wasTold = own.some((entry) => entry.kind === "held" && entry.finding.code === "refunded_but_shown");
  const { refunds = [], disputes = [] } = evidence.ledgerMoney.find(({ paymentId }) => paymentId === payment.id) ?? {};
  // A dispute that is not won is told by itself.
  if (disputes.some(({ status, outcome }) => status !== "pending" && outcome !== "won")) return [];
  const isShownRefunded = refunds.some(({ refundId }) => refundId !== null && order.refunds?.includes(refundId));
  return isExplained || wasTold || isShownRefunded
    ? []
    : [`${ref.orderId} shows payment ${payment.id}, which is ${payment.state}`];
}

function recordedAlone(evidence: Evidence, order: OrderEvidence): string[] {
  const { ref } = order;
  const own = evidence.payments.filter(({ ref: { orderId, storeId }, state }) => {
    return orderId === ref.orderId && storeId === ref.storeId && state === "recorded";
  });
  return own
    .filter(({ id }) => !isShownBy(evidence, order, id))
    .filter(({ id }) => !isForgotten(evidence, id))
    .map(({ id }) => `payment ${id} is recorded, but ${ref.orderId} does not show it`);
}

/**
 * Whether the order shows the payment. A shop that can only be written to was perhaps marked paid by a payment that went back since, and
 * confirms the next one without telling them apart.
 */
export function isShownBy({ payments }: Evidence, order: OrderEvidence, id: string): boolean {
  const { effects, namedPayment, retryScheduleMs } = order;
  const isEffect = (paymentId: string) => effects.some((effect) => effect.paymentId === paymentId);
  const isReturned = ({ state, lostToDispute }: Payment) => state === "refunded" || lostToDispute;
  const confirmsAny =
    retryScheduleMs !== undefined && payments.some((other) => isReturned(other) && isEffect(other.id));
  return namedPayment === id || isEffect(id) || confirmsAny;
}
