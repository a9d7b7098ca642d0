import { limits } from "../domain/limits.ts";
import { type AmountUnit, fromWire, type Money } from "../domain/money.ts";
import { amountPaid, amountUnitOf, type Payment } from "../domain/payment.ts";
import type { Refund, RefundReading } from "../domain/refund.ts";

/** The amount of a refund that the service shows; null where it shows no exact amount. No refund has the amount zero. */
export function readAmount(payment: Payment, { wireAmount = 0 }: RefundReading): Money | null {
  const amount = fromWire(wireAmount, amountPaid(payment).currency, amountUnitOf(payment));
  return amount?.minor === 0 ? null : amount;
}

/**
 * Whether a refund that the service shows can be our `refund`, whose result is not known: the amounts are equal, and the clocks would
 * have to differ by more than `limits.serviceClockSkewMs` if it were older than our request. Refunds that were listed when ours was
 * requested are stored, so callers leave them out.
 */
export function couldBeSameRefund(refund: Refund, { wireAmount, createdAt }: RefundReading, unit: AmountUnit): boolean {
  const amount = wireAmount === undefined ? null : fromWire(wireAmount, refund.amount.currency, unit);
  const isNewEnough = createdAt === undefined || createdAt >= refund.requestedAt - limits.serviceClockSkewMs;
  return amount?.minor === refund.amount.minor && isNewEnough;
}
