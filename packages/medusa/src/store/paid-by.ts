import type { Order } from "@tillkit/core";
import type { MedusaPayment, MedusaSession, PaymentCollection } from "./payment-collection.ts";

/** Medusa names a provider `pp_{identifier}_{id}`. */
export const PROVIDER_IDENTIFIER = "tillkit";

/** Medusa's built-in manual provider. "Mark as paid" captures with it; stores also offer it as cash on delivery. */
const SYSTEM_PROVIDER = "pp_system_default";

/**
 * A metadata key of payment collections. An owner may mark an order as paid in Medusa, and later accept a payment of ours for that
 * order. `markPaid` then stores the id of that payment under this key.
 */
export const ACCEPTED_PAYMENT_KEY = "tillkit_payment_id";

/**
 * What paid this collection, as Medusa shows it. `paidBy` is the id of our payment, or `owner`, `outside` or `unclear` for money that
 * did not come through us (see `Order`), or null for an unpaid collection.
 *
 * A captured payment does not count while its cart has no order: completing the cart may still fail, and Medusa then
 * refunds it. An order whose collection has no payments is unpaid: Medusa creates the order first, asks for the payment last, and
 * removes the order when the payment fails.
 */
export function paidStatusOf(collection: PaymentCollection): Pick<Order, "paidBy" | "markedPaid"> {
  const { payments, cartId, orderId, metadata } = collection;
  if (cartId !== null && orderId === null) return { paidBy: null };
  const valid = payments.filter(({ isCanceled }) => !isCanceled);
  for (const { providerId, isCaptured, data } of valid) {
    if (isCaptured && isTillkitProvider(providerId) && typeof data.payment_id === "string") {
      return { paidBy: data.payment_id };
    }
  }
  const others = valid.filter(({ providerId }) => !isTillkitProvider(providerId));
  const paidBy = paidByOthers(collection, others);
  const accepted = metadata[ACCEPTED_PAYMENT_KEY];
  // The owner marked the order as paid, and accepted our payment as the one that paid it.
  if (typeof accepted === "string" && (paidBy === "owner" || paidBy === "unclear")) return { paidBy: accepted };
  const markedPaid = paidBy === "owner" ? others.at(-1)?.capture : null;
  return markedPaid ? { paidBy, markedPaid } : { paidBy };
}

export function paidByOf(collection: PaymentCollection): string | null {
  return paidStatusOf(collection).paidBy;
}

/**
 * In the collection of an order, only "Mark as paid" uses the manual provider. In a cart's collection the shopper may have
 * chosen that provider as cash on delivery, and Medusa does not record why the payment was captured: the result is "unclear".
 */
function paidByOthers({ cartId }: PaymentCollection, others: readonly MedusaPayment[]): Order["paidBy"] {
  if (others.length === 0) return null;
  const isManual = ({ providerId }: MedusaPayment) => providerId === SYSTEM_PROVIDER;
  if (!others.some(isManual)) return "outside";
  const isMarkedAsPaid = cartId === null && others.every((payment) => isManual(payment) && payment.isCaptured);
  return isMarkedAsPaid ? "owner" : "unclear";
}

/** True when the collection has a payment of another provider: capturing ours as well would count the amount twice. */
export function hasOtherPayment({ payments }: PaymentCollection): boolean {
  return payments.some(({ providerId, isCanceled }) => !isCanceled && !isTillkitProvider(providerId));
}

/** The session of this attempt; null once Medusa deleted it because the cart changed. */
export function findSession({ sessions }: PaymentCollection, attempt: string): MedusaSession | null {
  return sessions.find(({ id, providerId }) => id === attempt && isTillkitProvider(providerId)) ?? null;
}

/** Medusa's own row for one of our payments, null when it has none. */
export function findMedusaPayment({ payments }: PaymentCollection, paymentId: string): MedusaPayment | null {
  return (
    payments.find(({ providerId, data }) => isTillkitProvider(providerId) && data.payment_id === paymentId) ?? null
  );
}

/**
 * The manual payment that Medusa holds in place of ours, after the owner accepted ours for this order. The provider needs no check
 * here: Medusa has no row of our payment, so {@link paidStatusOf} names ours only for a collection with a manual payment.
 */
export function manualPaymentFor(collection: PaymentCollection, paymentId: string): MedusaPayment | null {
  if (findMedusaPayment(collection, paymentId) !== null || paidByOf(collection) !== paymentId) return null;
  return collection.payments.find(({ isCaptured, isCanceled }) => isCaptured && !isCanceled) ?? null;
}

export function isTillkitProvider(providerId: string): boolean {
  return providerId === `pp_${PROVIDER_IDENTIFIER}` || providerId.startsWith(`pp_${PROVIDER_IDENTIFIER}_`);
}
