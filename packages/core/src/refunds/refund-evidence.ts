import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { fromWire } from "../domain/money.ts";
import { amountUnitOf, startOf } from "../domain/payment.ts";
import type { Refund, RefundReading } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/stored-payment.ts";
import type { RefundList, TransactionReading } from "../ports/service.ts";
import {
  couldBeRefund,
  identifiedRefund,
  isSinceRequest,
  listedFrom,
  type RefundContext,
  readAmount,
  refundContext,
} from "./refund-reading.ts";

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

/**
 * Reads the refund's transaction (GET /transactions/{id}) and the list of its refunds (GET /refunds), and the transaction once more
 * before a refund counts as not made.
 *
 * @param since `payment`: the rows since the payment began, because a clock that was ahead has dated the request after its row
 */
export async function readRefundEvidence(
  engine: Engine,
  refund: Refund,
  since: "request" | "payment" = "request",
): Promise<RefundEvidence> {
  const payment = await getPayment(engine, refund.paymentId);
  const service = await engine.tenants.service(payment.credentialId);
  const deadlineMs = limits.serviceCallMs;
  const named = { id: refund.transactionId, account: payment.account, deadlineMs };
  try {
    const transaction = await service.readTransaction(named);
    const list = await service.readRefunds(payment, {
      transactionId: transaction?.id ?? refund.transactionId,
      transactionCode: transaction?.code,
      since: since === "request" ? listedFrom(payment, refund) : startOf(payment) - limits.serviceClockSkewMs,
      deadlineMs,
    });
    const context = await refundContext(engine, payment);
    const evidence = weigh(refund, context, transaction, list);
    if (evidence.kind !== "absent") return evidence;
    // A refund that was pending when the transaction was read, and that the list skips, is in neither of the two.
    return weigh(refund, context, await service.readTransaction(named), list);
  } catch (error) {
    engine.log.info("refund.read_failed", { paymentId: payment.id, code: codeOf(error) });
    return { kind: "unread" };
  }
}

/**
 * Each row blocks only what it could be. The list alone never proves that a refund was not made, because a page may skip rows: the
 * refunded amount of the transaction must leave no room for it. A pending refund is in the list only, so the list must be complete.
 */
function weigh(
  refund: Refund,
  context: RefundContext,
  transaction: TransactionReading | null,
  list: RefundList,
): RefundEvidence {
  // A row may name the transaction by its code, or not at all; the list says that it is of this one.
  const ours = list.refunds.map((row) => ({ ...row, transactionId: refund.transactionId }));
  const rows = [...ours, ...list.unassigned];
  const identified = rows.find((row) => identifiedRefund(context, row)?.key === refund.key);
  if (identified && identified.status !== "failed") return { kind: "made", reading: identified };
  const isLikely = (row: RefundReading) => couldBeRefund(context, refund, row) && isSinceRequest(context, refund, row);
  const candidates = ours.filter(isLikely);
  const readable = candidates.filter((row) => readAmount(context.payment, row) !== null);
  const made = likeliestFirst(refund, readable).find(({ status }) => status !== "failed");
  if (made) return { kind: "made", reading: made };
  const mayBeIt = (row: RefundReading) => row.status !== "failed" && couldBeRefund(context, refund, row);
  const isSettled = list.isComplete && !rows.some(mayBeIt) && leavesNoRoom(refund, context, transaction, list);
  return isSettled ? { kind: "absent", failed: identified ?? readable[0] ?? null } : { kind: "unclear" };
}

// The oldest refund made since our request comes first. A refund that looks older is ours only if the clocks differ.
function likeliestFirst({ requestedAt }: Refund, readings: readonly RefundReading[]): readonly RefundReading[] {
  const isSince = ({ createdAt = 0 }: RefundReading) => createdAt >= requestedAt - limits.clockSkewMs;
  const since = readings.filter(isSince).toSorted((left, right) => (left.createdAt ?? 0) - (right.createdAt ?? 0));
  return [...since, ...readings.filter((reading) => !isSince(reading))];
}

/**
 * Whether the transaction's refunded amount leaves no room for this refund: everything that went back is listed or stored. Where a
 * listed amount cannot be read, what is left unexplained must be smaller than the refund.
 */
function leavesNoRoom(
  refund: Refund,
  { payment, known, transactions }: RefundContext,
  transaction: TransactionReading | null,
  list: RefundList,
): boolean {
  const { currency } = refund.amount;
  const refunded = fromWire(transaction?.refundedAmount ?? Number.NaN, currency, amountUnitOf(payment));
  if (refunded === null) return false;
  const amountOf = (row: RefundReading) =>
    (readAmount(payment, row) ?? known.find(({ refundId }) => refundId === row.id)?.amount)?.minor;
  const listed = new Set(list.refunds.map(({ id }) => id));
  // A request can name a declined transaction, if the service was down when it was made. Refunds of the payment's other transactions
  // say nothing about it.
  const transactionId = transaction?.id ?? refund.transactionId;
  // A refund that names no transaction is of the only one. Of several, it may be of another one.
  const isOfIt = (other: Refund) =>
    other.transactionId === transactionId || (other.transactionId === "" && transactions.length <= 1);
  const stored = known.filter((other) => isOfIt(other) && other.state === "completed");
  const unlisted = stored.filter(({ refundId }) => !listed.has(refundId ?? "")).map(({ amount }) => amount.minor);
  const completed = list.refunds.filter(({ status }) => status === "completed").map(amountOf);
  const explained = [...unlisted, ...completed].reduce<number>((sum, minor) => sum + (minor ?? 0), 0);
  const unexplained = refunded.minor - explained;
  const hasUnreadable = completed.includes(undefined);
  return unexplained === 0 || (hasUnreadable && unexplained > 0 && unexplained < refund.amount.minor);
}
