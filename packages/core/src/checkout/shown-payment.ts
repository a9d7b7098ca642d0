import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";

/** From the surest to the least sure: the order counts one `recorded` or `verified` payment at a time. */
const SHOWN: readonly PaymentState[] = ["recorded", "verified", "refunding", "refunded"];

/**
 * The payment that an order shows, among all payments of that order: a refund that names no payment is of this one. Null
 * while no payment counts for the order: a payment under review and a duplicate are refunded only by a decision that names them.
 *
 * A refunded payment is answered only when nothing else is left, so that the refusal of the refund is about it. Of several,
 * the one that the store was told of is taken, for a duplicate that was refunded never was; then the youngest.
 */
export function shownPayment(payments: readonly Payment[]): Payment | null {
  for (const shown of SHOWN) {
    const among = payments.filter(({ state }) => state === shown).toSorted(tellsMore);
    if (among[0]) return among[0];
  }
  return null;
}

function tellsMore(left: Payment, right: Payment): number {
  const told = Number(right.storeTries > 0) - Number(left.storeTries > 0);
  return told === 0 ? right.createdAt - left.createdAt : told;
}
