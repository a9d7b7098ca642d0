import type { Collection, Session } from "./collection.ts";

/** Medusa calls a provider `pp_{identifier}_{id}`. */
export const IDENTIFIER = "tillkit";

/**
 * The payment that Medusa shows as proof that this is paid, `"outside"` when something else paid it, null when nothing did.
 *
 * Money that Medusa captured for a cart that became no order is no proof: completing the cart may still fail, and then
 * Medusa gives it back. Nor is an order without a payment: Medusa makes the order first and asks for the payment last, and
 * takes the order back when there is none.
 */
export function proofOf({ payments, cartId, orderId }: Collection): string | null {
  if (cartId !== null && orderId === null) return null;
  const standing = payments.filter(({ isCanceled }) => !isCanceled);
  for (const { providerId, isCaptured, data } of standing) {
    if (isCaptured && isOurs(providerId) && typeof data.payment_id === "string") return data.payment_id;
  }
  return standing.some(({ providerId }) => !isOurs(providerId)) ? "outside" : null;
}

/** The try itself, as long as Medusa has not withdrawn it: a changed cart deletes its sessions. */
export function sessionOf({ sessions }: Collection, attempt: string): Session | null {
  return sessions.find(({ id, providerId }) => id === attempt && isOurs(providerId)) ?? null;
}

/** Medusa's own payment of ours, where it has one. */
export function medusaPaymentOf({ payments }: Collection, paymentId: string) {
  return payments.find(({ providerId, data }) => isOurs(providerId) && data.payment_id === paymentId) ?? null;
}

function isOurs(providerId: string): boolean {
  return providerId === `pp_${IDENTIFIER}` || providerId.startsWith(`pp_${IDENTIFIER}_`);
}
