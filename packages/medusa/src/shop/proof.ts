import type { Order } from "@tillkit/core";
import type { Collection, MedusaPayment, Session } from "./collection.ts";

/** Medusa calls a provider `pp_{identifier}_{id}`. */
export const IDENTIFIER = "tillkit";

/** Medusa's own provider, which asks nobody. "Mark as paid" captures under it; shops offer it as cash on delivery, too. */
const SYSTEM_PROVIDER = "pp_system_default";

/** In the metadata of a payment collection: our payment that the owner accepted after setting the order to paid. */
export const ACCEPTED = "tillkit_payment_id";

/**
 * By what Medusa shows this as paid, null when nothing paid it.
 *
 * Money that Medusa captured for a cart that became no order is no proof: completing the cart may still fail, and then
 * Medusa gives it back. Nor is an order without a payment: Medusa makes the order first and asks for the payment last, and
 * takes the order back when there is none.
 */
export function paidByOf(collection: Collection): Pick<Order, "paidBy" | "setPaid"> {
  const { payments, cartId, orderId, metadata } = collection;
  if (cartId !== null && orderId === null) return { paidBy: null };
  const standing = payments.filter(({ isCanceled }) => !isCanceled);
  for (const { providerId, isCaptured, data } of standing) {
    if (isCaptured && isOurs(providerId) && typeof data.payment_id === "string") return { paidBy: data.payment_id };
  }
  const others = standing.filter(({ providerId }) => !isOurs(providerId));
  const paidBy = withoutOurs(collection, others);
  const accepted = metadata[ACCEPTED];
  if (typeof accepted === "string" && (paidBy === "owner" || paidBy === "unclear")) return { paidBy: accepted };
  const setPaid = paidBy === "owner" ? others.at(-1)?.capture : null;
  return setPaid ? { paidBy, setPaid } : { paidBy };
}

export function proofOf(collection: Collection): string | null {
  return paidByOf(collection).paidBy;
}

/**
 * "Mark as paid" is for the collection of an order: no shopper ever chooses Medusa's own provider there. In a cart's collection
 * a shopper may have chosen it, as cash on delivery, and whoever captures it later says not why: Medusa cannot tell.
 */
function withoutOurs({ cartId }: Collection, others: readonly MedusaPayment[]): Order["paidBy"] {
  if (others.length === 0) return null;
  const bySystem = others.filter(({ providerId }) => providerId === SYSTEM_PROVIDER);
  if (bySystem.length === 0) return "outside";
  const isSetToPaid = cartId === null && others.every((one) => bySystem.includes(one) && one.isCaptured);
  return isSetToPaid ? "owner" : "unclear";
}

/** Money of another provider stands here: a payment of ours must not be captured beside it. */
export function hasOtherMoney({ payments }: Collection): boolean {
  return payments.some(({ providerId, isCanceled }) => !isCanceled && !isOurs(providerId));
}

/** The try itself, as long as Medusa has not withdrawn it: a changed cart deletes its sessions. */
export function sessionOf({ sessions }: Collection, attempt: string): Session | null {
  return sessions.find(({ id, providerId }) => id === attempt && isOurs(providerId)) ?? null;
}

/** Medusa's own payment of ours, where it has one. */
export function medusaPaymentOf({ payments }: Collection, paymentId: string): MedusaPayment | null {
  return payments.find(({ providerId, data }) => isOurs(providerId) && data.payment_id === paymentId) ?? null;
}

/** What Medusa holds in the place of our payment, where that counts for the order by its owner's word. */
export function heldByHand(collection: Collection, paymentId: string): MedusaPayment | null {
  if (medusaPaymentOf(collection, paymentId) !== null || proofOf(collection) !== paymentId) return null;
  return collection.payments.find(({ isCaptured, isCanceled }) => isCaptured && !isCanceled) ?? null;
}

function isOurs(providerId: string): boolean {
  return providerId === `pp_${IDENTIFIER}` || providerId.startsWith(`pp_${IDENTIFIER}_`);
}
