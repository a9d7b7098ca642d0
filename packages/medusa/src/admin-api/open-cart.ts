import { codeOf, type FindingCode, type Money, type Payment } from "@tillkit/core";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { isCanceledInMedusa } from "../store/order.ts";
import { type PaymentCollection, totalOf } from "../store/payment-collection.ts";
import { isSoldOut } from "../store/stock.ts";

/** A cart that a held payment may still pay. `total`: what the cart costs now. */
export type OpenCart = { readonly cartId: string; readonly total: Money; readonly isSoldOut: boolean };

/** A payment with one of these findings lost its cart: Medusa deleted its session, or refused it. Nothing else about it differs. */
const LOST_CART: readonly FindingCode[] = ["order_gone", "order_not_payable"];

export function hasLostCart({ state, finding }: Payment): boolean {
  return state === "review" && finding !== null && LOST_CART.includes(finding.code);
}

/** Null when the payment is not held for a lost cart, or its cart is gone, canceled, ordered, or has another payment. */
export async function readOpenCart(
  { container }: Pick<CheckoutRuntime, "container">,
  payment: Payment,
  collection: PaymentCollection | null,
): Promise<OpenCart | null> {
  if (!hasLostCart(payment)) return null;
  if (collection === null || collection.cartId === null || collection.orderId !== null) return null;
  if (collection.payments.some(({ isCanceled }) => !isCanceled)) return null;
  if (await isCanceledInMedusa(container, collection)) return null;
  const { cartId } = collection;
  const total = totalIn(collection);
  return total && { cartId, total, isSoldOut: await isSoldOut(container, cartId) };
}

// The cart may have moved to a region whose currency the service does not take.
function totalIn(collection: PaymentCollection): Money | null {
  try {
    return totalOf(collection);
  } catch (error) {
    if (codeOf(error) === "currency_not_supported") return null;
    throw error;
  }
}
