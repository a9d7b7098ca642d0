import { isPaying, type Payment, type Refusal } from "@tillkit/core";
import type { HostFacts } from "@tillkit/core/back-office";
import { type FailedStoreRefund, findFailedRefunds, type ShownRefund } from "@tillkit/core/store-refunds";
import { isNotedAsUnplaced } from "../refunds/attention-list.ts";
import { shownRefundsOf } from "../refunds/shown-refunds.ts";
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
  /** Medusa refunded the payment as one that has no order, and its order exists. */
  readonly isPlacedUnpaid: boolean;
  readonly shownRefunds: readonly ShownRefund[];
  readonly failedRefunds: readonly FailedStoreRefund[];
};

export async function readShopFacts(runtime: CheckoutRuntime, payment: Payment): Promise<ShopFacts> {
  const { container } = runtime;
  const pays = isPaying(payment);
  const collection = await readCollection(container, payment.ref.orderId);
  const medusaPayment = collection && findMedusaPayment(collection, payment.id);
  const shownRefunds = medusaPayment ? shownRefundsOf(medusaPayment, collection.currencyCode) : [];
  const mayBePlaced = payment.state === "refunded" && (await isNotedAsUnplaced(runtime, payment.id));
  const mustKnowOrder = pays || payment.lostToDispute || mayBePlaced;
  const [failedRefunds, openCart, isCanceled] = await Promise.all([
    findFailedRefunds(runtime.ledger, payment, shownRefunds),
    readOpenCart(runtime, payment, collection),
    mustKnowOrder && collection !== null && isCanceledInMedusa(container, collection),
  ]);
  const isCanceledUnrefunded = pays && isCanceled && collection !== null && holdsAmount(collection, payment.id);
  const isPlacedUnpaid = mayBePlaced && !isCanceled && collection !== null && collection.orderId !== null;
  return { collection, openCart, isCanceled, isCanceledUnrefunded, isPlacedUnpaid, shownRefunds, failedRefunds };
}

/** What of them the back office needs for its offers, and a person for their decision. */
export function hostFactsOf(payment: Payment, shop: ShopFacts): HostFacts {
  const { collection, openCart, isCanceledUnrefunded, failedRefunds } = shop;
  // The owner marked the order as paid and accepted our payment for it: Medusa's own refund would send nothing.
  const isManual = collection !== null && manualPaymentFor(collection, payment.id) !== null;
  return {
    seen: openCart === null ? [] : [openCart.total.minor, openCart.total.currency],
    refundsPaid: isManual || isCanceledUnrefunded,
    ...(hasLostCart(payment) ? { place: refusalToPlace(openCart) } : {}),
    failedRefunds: failedRefunds.map(({ refund, row }) => ({ key: refund.key, isShown: row !== null })),
  };
}

function refusalToPlace(openCart: OpenCart | null): Refusal | null {
  if (openCart === null) return { kind: "cart_gone" };
  return openCart.isSoldOut ? { kind: "sold_out" } : null;
}

function holdsAmount(collection: PaymentCollection, paymentId: string): boolean {
  const medusaPayment = findMedusaPayment(collection, paymentId) ?? manualPaymentFor(collection, paymentId);
  return medusaPayment !== null && amountLeft(medusaPayment, collection.currencyCode).minor > 0;
}
