import type { Money, Order, OrderRef } from "@tillkit/core";
import type { AdminOrder, OrderTransaction } from "../operations/order-queries.ts";
import type { GatewayNames, OrderSettings } from "../records/shops.ts";
import {
  amountOf,
  isByOurGateway,
  isOurOrder,
  isRecordedPayment,
  isTestOrder,
  isUnnamedGateway,
} from "./order-transactions.ts";

/**
 * Translates an order of Shopify for the engine. The total of an unpaid order is its outstanding amount in the currency that
 * the shopper saw. @throws CheckoutError `amount_invalid`, `currency_not_supported`
 */
export function toOrder(adminOrder: AdminOrder, ref: OrderRef, settings: OrderSettings): Order {
  const outstanding = outstandingAmount(adminOrder);
  const { paidBy, markedPaid } = payerOf(adminOrder, settings, outstanding);
  const isOpen = (adminOrder.cancelledAt ?? null) === null && outstanding.minor > 0;
  return {
    ref,
    number: adminOrder.name.replace(/^#/, ""),
    attempt: "",
    total: paidBy === null ? outstanding : amountOf(adminOrder.totalReceivedSet),
    title: adminOrder.name,
    environment: isTestOrder(adminOrder, settings) ? "test" : "live",
    language: (adminOrder.customerLocale ?? "").toLowerCase().startsWith("en") ? "en" : "fr",
    payable: paidBy === null && isOpen && isOurOrder(adminOrder, settings),
    paidBy,
    ...(markedPaid ? { markedPaid } : {}),
  };
}

/** The amount that is still to be paid; zero for an order that is overpaid. */
export function outstandingAmount({ totalOutstandingSet }: AdminOrder): Money {
  return amountOf(totalOutstandingSet);
}

/** Whether money was recorded on the order and nothing is outstanding. */
export function isFullyPaid(adminOrder: AdminOrder): boolean {
  return outstandingAmount(adminOrder).minor === 0 && amountOf(adminOrder.totalReceivedSet).minor > 0;
}

/**
 * What paid an order. We write the id of our payment on the order before we record its money, so only the id and money
 * together prove that we recorded it.
 *
 * Money under our payment method without that id was not recorded by us. "Mark as paid" in the shop's admin records money
 * under the method of the pending sale: when it is all the money on the order, the owner set the order to paid. Money under
 * the name of another method paid the order outside of this app. Where an order shows both, or a method without a name,
 * Shopify does not tell what paid it.
 */
function payerOf(
  adminOrder: AdminOrder,
  gateways: GatewayNames,
  outstanding: Money,
): Pick<Order, "paidBy" | "markedPaid"> {
  const recorded = adminOrder.transactions.filter(isRecordedPayment);
  const ours = recorded.filter((one) => isByOurGateway(one, gateways));
  const paidBy = payerWithoutId(adminOrder, { recorded, ours, outstanding });
  if (adminOrder.paymentId && (ours.length > 0 || paidBy === "unclear")) return { paidBy: adminOrder.paymentId.value };
  return paidBy === "owner" ? { paidBy, ...markedPaidAt(ours.at(-1)?.createdAt) } : { paidBy };
}

type RecordedPayments = {
  readonly recorded: readonly OrderTransaction[];
  /** Those of `recorded` under our payment method. */
  readonly ours: readonly OrderTransaction[];
  readonly outstanding: Money;
};

/** What paid the order if the id of our payment is not looked at. */
function payerWithoutId(adminOrder: AdminOrder, { recorded, ours, outstanding }: RecordedPayments): Order["paidBy"] {
  const isUnpaid = outstanding.minor > 0 || amountOf(adminOrder.totalReceivedSet).minor === 0;
  if (isUnpaid) return ours.length > 0 ? "unclear" : null;
  if (ours.length > 0) return ours.length === recorded.length ? "owner" : "unclear";
  const areAllNamed = recorded.length > 0 && !recorded.some(isUnnamedGateway);
  return areAllNamed ? "outside" : "unclear";
}

// Shopify's API does not name the member of staff who marked the order as paid.
function markedPaidAt(createdAt: string | null | undefined): Pick<Order, "markedPaid"> {
  const at = Date.parse(createdAt ?? "");
  return Number.isNaN(at) ? {} : { markedPaid: { by: null, at } };
}
