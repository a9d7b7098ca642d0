import type { HostFacts, Payment, PaymentState, Refund, Refusal } from "@tillkit/core";
import { type FailedRefund, findFailedRefunds } from "../refunds/failed-refunds.ts";
import { isSettled } from "../refunds/settled-refunds.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { isCanceledInMedusa } from "../store/order.ts";
import { findMedusaPayment, manualPaymentFor } from "../store/paid-by.ts";
import { amountLeft, type PaymentCollection, readCollection } from "../store/payment-collection.ts";
import { hasLostCart, type OpenCart, readOpenCart } from "./open-cart.ts";

/** What Medusa's own records say about a payment. */
export type ShopFacts = {
  readonly collection: PaymentCollection | null;
  readonly openCart: OpenCart | null;
  readonly isCanceled: boolean;
  /** The order was canceled, and Medusa still counts money of this payment. */
  readonly isCanceledUnrefunded: boolean;
  /** Refunds that Medusa shows and that failed later. */
  readonly failedRefunds: readonly FailedRefund[];
  /** The owner's own refund of a payment that pays its order, if it failed, was the last one and was not settled otherwise. */
  readonly failedOwnRefund: Refund | null;
};

const PAYING: readonly PaymentState[] = ["recorded", "verified"];

export async function readShopFacts(runtime: CheckoutRuntime, payment: Payment): Promise<ShopFacts> {
  const { container } = runtime;
  const isPaying = PAYING.includes(payment.state);
  const [collection, failedRefunds, failedOwnRefund] = await Promise.all([
    readCollection(container, payment.ref.orderId),
    findFailedRefunds(runtime, payment),
    isPaying ? findFailedOwnRefund(runtime, payment) : null,
  ]);
  const mustKnowOrder = isPaying || payment.lostToDispute;
  const [openCart, isCanceled] = await Promise.all([
    readOpenCart(runtime, payment, collection),
    mustKnowOrder && collection !== null && isCanceledInMedusa(container, collection),
  ]);
  const isCanceledUnrefunded = isPaying && isCanceled && collection !== null && holdsAmount(collection, payment.id);
  return { collection, openCart, isCanceled, isCanceledUnrefunded, failedRefunds, failedOwnRefund };
}

/** What of them the back office needs for its offers, and a person for their decision. */
export function hostFactsOf(payment: Payment, shop: ShopFacts): HostFacts {
  const { collection, openCart, isCanceledUnrefunded, failedRefunds, failedOwnRefund } = shop;
  // The owner marked the order as paid and accepted our payment for it: Medusa's own refund would send nothing.
  const isManual = collection !== null && manualPaymentFor(collection, payment.id) !== null;
  return {
    seen: openCart === null ? [] : [openCart.total.minor, openCart.total.currency],
    refundsPaid: isManual || isCanceledUnrefunded,
    ...(hasLostCart(payment) ? { place: refusalToPlace(openCart) } : {}),
    failedRefunds: [
      ...failedRefunds.map(({ refund: { key } }) => ({ key, isShown: true })),
      ...(failedOwnRefund === null ? [] : [{ key: failedOwnRefund.key, isShown: false }]),
    ],
  };
}

function refusalToPlace(openCart: OpenCart | null): Refusal | null {
  if (openCart === null) return { kind: "cart_gone" };
  return openCart.isSoldOut ? { kind: "sold_out" } : null;
}

async function findFailedOwnRefund(runtime: CheckoutRuntime, { id }: Payment): Promise<Refund | null> {
  const last = (await runtime.ledger.refunds(id)).filter(({ origin }) => origin === "tillkit").at(-1);
  return last?.state !== "failed" || (await isSettled(runtime, last.key)) ? null : last;
}

function holdsAmount(collection: PaymentCollection, paymentId: string): boolean {
  const medusaPayment = findMedusaPayment(collection, paymentId) ?? manualPaymentFor(collection, paymentId);
  return medusaPayment !== null && amountLeft(medusaPayment, collection.currencyCode).minor > 0;
}
