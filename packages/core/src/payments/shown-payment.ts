import type { Payment } from "../domain/payment.ts";

/**
 * Conditions under which an order shows a payment, the most certain condition first. Choosing a refunded payment does no harm: its
 * second refund is rejected.
 */
const SHOWN: readonly ((payment: Payment) => boolean)[] = [
  ({ state }) => state === "recorded",
  // The store may have recorded such a payment although its response was lost. A payment that is only verified may be a duplicate,
  // so it comes later.
  ({ state, storeTries }) => state === "refunding" && storeTries > 0,
  ({ state, storeTries }) => state === "refunded" && storeTries > 0,
  ({ state }) => state === "verified",
  // Such a payment was refunded as a duplicate or held payment and was never written to the store.
  ({ state }) => state === "refunding",
  ({ state }) => state === "refunded",
];

/**
 * The payment that an order shows, among all payments of that order. A refund that names no payment refunds the shown payment. Null while
 * no payment counts for the order: a payment under review or a duplicate is refunded only by a decision that names it.
 *
 * A refunded payment is returned only if no other payment can be, so that the error of a second refund refers to that payment. Of
 * several candidates the newest is returned.
 */
export function shownPayment(payments: readonly Payment[]): Payment | null {
  for (const isShown of SHOWN) {
    const [newest] = payments.filter(isShown).toSorted((left, right) => right.createdAt - left.createdAt);
    if (newest) return newest;
  }
  return null;
}
