import { certainTransactions } from "../domain/equation.ts";
import { limits } from "../domain/limits.ts";
import { fromWire, type Money } from "../domain/money.ts";
import { namesTransaction, type PaidTransaction } from "../domain/movement.ts";
import { amountUnitOf, type Payment, startOf } from "../domain/payment.ts";
import type { Refund, RefundReading } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { isMarkOf, isUnmarked, type RefundMark, readMark } from "../signing/refund-mark.ts";

/** What rows of the service's list of refunds are compared with. */
export type RefundContext = {
  readonly payment: Payment;
  /** The stored refunds of the payment. */
  readonly known: readonly Refund[];
  /** The transactions that certainly paid the payment. */
  readonly transactions: readonly PaidTransaction[];
  readonly keys: readonly string[];
  /** The service has shown one of our marks lately, so a row with another text is somebody else's. */
  readonly showsMarks: boolean;
};

/**
 * The refund with a time of its request that has passed. A clock that was ahead dates the request in the future: nobody knows how old its key
 * is, but no older than its payment.
 */
export function withPastRequest(payment: Payment, refund: Refund, now: number): Refund {
  if (refund.requestedAt <= now + limits.clockSkewMs) return refund;
  return { ...refund, requestedAt: Math.min(now, startOf(payment)) };
}

/**
 * The time before which the service lists no row of this refund. Where our clock dated the payment long after its session, which the service
 * dates, it was ahead, and the time of the request proves nothing.
 */
export function listedFrom(payment: Payment, { requestedAt }: Refund): number {
  const start = startOf(payment);
  const wasAhead = payment.createdAt > start + limits.serviceClockSkewMs;
  return (wasAhead ? Math.min(start, requestedAt) : requestedAt) - limits.serviceClockSkewMs;
}

export async function refundContext(engine: Engine, payment: Payment): Promise<RefundContext> {
  const now = engine.clock.now();
  const known = (await engine.ledger.refunds(payment.id)).map((refund) => withPastRequest(payment, refund, now));
  const transactions = certainTransactions(payment, await engine.ledger.transactions(payment.id));
  return { payment, known, transactions, keys: engine.referenceKeys, showsMarks: await showsMarks(engine, payment) };
}

/** Whether the payment's service has shown one of our marks lately. */
export async function showsMarks(
  { clock, ledger }: Engine,
  { credentialId }: Pick<Payment, "credentialId">,
): Promise<boolean> {
  const { readAt } = await ledger.markHistory(credentialId);
  return readAt !== null && clock.now() < readAt + limits.markMemoryMs;
}

/** The amount of a refund that the service shows; null where it shows no exact amount. No refund has the amount zero. */
export function readAmount(payment: Payment, { wireAmount = 0 }: RefundReading): Money | null {
  const { currency } = payment.amountReceived ?? payment.amountDue;
  const amount = fromWire(wireAmount, currency, amountUnitOf(payment));
  return amount?.minor === 0 ? null : amount;
}

export function markOfReading({ payment, known, keys }: RefundContext, { reason }: RefundReading): RefundMark | null {
  const stored = known.map(({ mark }) => mark);
  return readMark(reason, payment.id, keys, stored);
}

/** The stored refund that this row certainly is: by the service's id, or by our mark. */
export function identifiedRefund(context: RefundContext, reading: RefundReading): Refund | undefined {
  const { known, keys } = context;
  const byId = known.find(({ refundId }) => refundId !== null && refundId === reading.id);
  if (byId) return byId;
  const mark = markOfReading(context, reading);
  const isMarked = (refund: Refund) =>
    mark?.isWhole && (refund.mark === mark.text || isMarkOf(mark.text, refund.key, keys));
  const marked = known.filter(isMarked);
  return marked.find(({ refundId }) => refundId === null) ?? marked[0];
}

/**
 * Whether this row may be `refund`, whose result is not known. Our mark decides alone: a row with the mark of another refund is
 * another refund, and a row without a mark is somebody else's where ours carries one and the service shows marks. Otherwise both
 * must be of one transaction and the amounts must be equal. A row that names our transaction may be older than the request: all older
 * rows were stored before it, and a clock that was ahead may have dated it.
 */
export function couldBeRefund(context: RefundContext, refund: Refund, reading: RefundReading): boolean {
  const { known, keys, payment, showsMarks } = context;
  if (known.some(({ refundId, key }) => refundId !== null && refundId === reading.id && key !== refund.key))
    return false;
  const mark = markOfReading(context, reading);
  if (mark?.isWhole) return refund.mark === mark.text || isMarkOf(mark.text, refund.key, keys);
  if (mark !== null && refund.mark !== null && !refund.mark.startsWith(mark.text)) return false;
  if (refund.mark !== null && showsMarks && isUnmarked(reading.reason)) return false;
  const named = (id = "") => context.transactions.find((transaction) => namesTransaction(id, transaction));
  const [ours, theirs] = [named(refund.transactionId), named(reading.transactionId)];
  if (ours === undefined || theirs === undefined) {
    if (!isSinceRequest(context, refund, reading)) return false;
  } else if (ours.id !== theirs.id) return false;
  const amount = readAmount(payment, reading);
  return amount === null || amount.minor === refund.amount.minor;
}

/** Whether the row is as young as the request, as far as the service's clock may differ from ours. */
export function isSinceRequest({ payment }: RefundContext, refund: Refund, { createdAt }: RefundReading): boolean {
  return createdAt === undefined || createdAt >= listedFrom(payment, refund);
}
