import type { Payment } from "../domain/payment.ts";

/** From the surest to the least sure. A refund of one that went back already is refused, which harms nobody. */
const SHOWN: readonly ((payment: Payment) => boolean)[] = [
  ({ state }) => state === "recorded",
  // The store may have taken this one although its answer was lost, and a payment that was verified since may be its duplicate.
  ({ state, storeTries }) => state === "refunding" && storeTries > 0,
  ({ state, storeTries }) => state === "refunded" && storeTries > 0,
  ({ state }) => state === "verified",
  // A second payment, or a held one, goes back without ever having been told to the store.
  ({ state }) => state === "refunding",
  ({ state }) => state === "refunded",
];

/**
 * The payment that an order shows, among all payments of that order: a refund that names no payment is of this one. Null
 * while no payment counts for the order: a payment under review and a duplicate are refunded only by a decision that names them.
 *
 * A refunded payment is answered only when nothing else is left, so that the refusal of the refund is about it. Of several, the
 * youngest is taken.
 */
export function shownPayment(payments: readonly Payment[]): Payment | null {
  for (const isShown of SHOWN) {
    const [youngest] = payments.filter(isShown).toSorted((left, right) => right.createdAt - left.createdAt);
    if (youngest) return youngest;
  }
  return null;
}
