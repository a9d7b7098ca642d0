import type { Payment } from "../domain/payment.ts";

/**
 * Conditions under which an order shows a payment, the most certain condition first. Choosing a refunded payment does no harm: its
 * second refund is rejected.
 */
const SHOWN: readonly ((payment: Payment) => boolean)[] = [
  ({ state }) => state === "recorded",
  // The store may have recorded this payment although its response was lost. It comes before a payment that is only verified, which
  // may be its duplicate.
  ({ state, storeTries }) => state === "refunding" && storeTries > 0,
  ({ state, storeTries }) => state === "refunded" && storeTries > 0,
  ({ state }) => state === "verified",
  // These were refunded as duplicate or held payments and were never written to the store.
  ({ state }) => state === "refunding",
  ({ state }) => state === "refunded",
];

/**
 * The payment that an order shows, among all payments of that order. A refund that names no payment refunds this one. Null while
 * no payment counts for the order: a payment under review or a duplicate is refunded only by a decision that names it.
 *
 * A refunded payment is returned only if no other remains, so that the error of a second refund refers to it. Of several
 * candidates the newest is returned.
 */
export function shownPayment(payments: readonly Payment[]): Payment | null {
  for (const isShown of SHOWN) {
    const [newest] = payments.filter(isShown).toSorted((left, right) => right.createdAt - left.createdAt);
    if (newest) return newest;
  }
  return null;
}
