import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { fromWire } from "../domain/money.ts";
import { amountPaid, amountUnitOf, type Payment } from "../domain/payment.ts";
import type { Refund, RefundReading } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import type { RefundList, TransactionReading } from "../ports/service.ts";
import { couldBeSameRefund, readAmount } from "./refund-reading.ts";

/**
 * What the service shows about a refund in doubt. `absent`: its list and its transaction agree that no money of this refund went back
 * or will go back; `failed` is the refund that failed, if one is listed. `unclear`: its answers leave open whether the refund was made.
 * `unread`: it did not answer.
 */
export type RefundEvidence =
  | { readonly kind: "made"; readonly reading: RefundReading }
  | { readonly kind: "absent"; readonly failed: RefundReading | null }
  | { readonly kind: "unclear" }
  | { readonly kind: "unread" };

/** Reads the refund's transaction (GET /transactions/{id}) and the list of its refunds (GET /refunds). */
export async function readRefundEvidence(engine: Engine, refund: Refund): Promise<RefundEvidence> {
  const payment = await getPayment(engine, refund.paymentId);
  const service = await engine.tenants.service(payment.credentialId);
  const { account } = payment;
  const deadlineMs = limits.serviceCallMs;
  try {
    const transaction = await service.readTransaction({ id: refund.transactionId, account, deadlineMs });
    const list = await service.readRefunds(payment, {
      transactionId: transaction?.id ?? refund.transactionId,
      transactionCode: transaction?.code,
      since: refund.requestedAt - limits.serviceClockSkewMs,
      deadlineMs,
    });
    return weigh(refund, payment, { transaction, list, known: await engine.ledger.refunds(payment.id) });
  } catch (error) {
    engine.log.info("refund.read_failed", { paymentId: payment.id, code: codeOf(error) });
    return { kind: "unread" };
  }
}

type Reports = {
  readonly transaction: TransactionReading | null;
  readonly list: RefundList;
  readonly known: readonly Refund[];
};

// The list alone never proves that a refund was not made: a page may skip rows, and a row may be unreadable. The refunded amount of
// the transaction must agree. A pending refund is in the list only, so the list must be complete too.
function weigh(refund: Refund, payment: Payment, { transaction, list, known }: Reports): RefundEvidence {
  const unit = amountUnitOf(payment);
  const ids = new Set(known.map(({ refundId }) => refundId));
  const others = list.refunds.filter(({ id }) => !ids.has(id));
  const candidates = likeliestFirst(
    refund,
    others.filter((reading) => couldBeSameRefund(refund, reading, unit)),
  );
  const made = candidates.find(({ status }) => status !== "failed");
  if (made) return { kind: "made", reading: made };
  const isReadable = others.every((reading) => reading.status === "failed" || readAmount(payment, reading) !== null);
  // A request can name a declined transaction, if the service was down when it was made. Refunds of the payment's other transactions
  // say nothing about it.
  const ofTransaction = known.filter(
    ({ transactionId }) => transactionId === (transaction?.id ?? refund.transactionId),
  );
  const isSettled = list.isComplete && isReadable && agrees(payment, { transaction, list, known: ofTransaction });
  return isSettled ? { kind: "absent", failed: candidates[0] ?? null } : { kind: "unclear" };
}

// The oldest refund made since our request comes first. A refund that looks older is ours only if the clocks differ.
function likeliestFirst({ requestedAt }: Refund, readings: readonly RefundReading[]): readonly RefundReading[] {
  const isSince = ({ createdAt = 0 }: RefundReading) => createdAt >= requestedAt - limits.clockSkewMs;
  const since = readings.filter(isSince).toSorted((left, right) => (left.createdAt ?? 0) - (right.createdAt ?? 0));
  return [...since, ...readings.filter((reading) => !isSince(reading))];
}

// Whether the transaction's refunded amount is the sum of the completed refunds that are listed or stored.
function agrees(payment: Payment, { transaction, list, known }: Reports): boolean {
  const { currency } = amountPaid(payment);
  const refunded = fromWire(transaction?.refundedAmount ?? Number.NaN, currency, amountUnitOf(payment));
  const listed = new Set(list.refunds.map(({ id }) => id));
  const completed = [
    ...list.refunds.filter(({ status }) => status === "completed").map((reading) => amountOf(reading, payment, known)),
    ...known
      .filter(({ state, refundId }) => state === "completed" && !listed.has(refundId ?? ""))
      .map(({ amount }) => amount.minor),
  ];
  return refunded?.minor === completed.reduce((sum, minor) => sum + minor, 0);
}

function amountOf(reading: RefundReading, payment: Payment, known: readonly Refund[]): number {
  const stored = known.find(({ refundId }) => refundId === reading.id);
  return (readAmount(payment, reading) ?? stored?.amount)?.minor ?? 0;
}
