import type { Environment, Language, Order, OrderRef } from "@tillkit/core";
import { type BridgedOrder, toOrder as fromBridged } from "@tillkit/php-bridge";
import { wooLimits } from "../limits.ts";
import { isOwnMethod, META } from "../protocol/names.ts";
import { toInternationalPhone } from "./customer-phone.ts";
import { describeItems, itemNames } from "./order-items.ts";
import { paidByOf, readMarkedPaid } from "./paid-by.ts";
import { isClosed, isPayable, languageOf, metaOf, type WooOrder } from "./woo-order.ts";

/** @throws CheckoutError `amount_invalid`, `currency_not_supported` */
export function toOrder(
  order: WooOrder,
  ref: OrderRef,
  store: { readonly environment: Environment; readonly language: Language },
): Order {
  return fromBridged(toBridgedOrder(order, store.language), ref, store);
}

/** The order of WooCommerce in the words of the bridge. `fallback`: the language of an order without one. */
export function toBridgedOrder(order: WooOrder, fallback: Language): BridgedOrder {
  const { id, order_key: key, total, currency, status, payment_url: payUrl } = order;
  const language = languageOf(order, fallback);
  const paidBy = paidByOf(order);
  return {
    ...{ id: String(id), key, number: order.number ?? String(id), total, currency, status },
    isPayable: isPayable(order),
    isClosed: isClosed(order),
    isOurs: isOwnMethod(order.payment_method),
    paidBy,
    markedPaid: paidBy === "owner" ? readMarkedPaid(order) : null,
    language,
    title: orderTitle(order, language),
    items: describeItems(order),
    customer: customerOf(order),
    returnUrl: metaOf(order, META.returnUrl),
    retryUrl: metaOf(order, META.cancelUrl),
    urlsSignature: metaOf(order, META.returnSignature),
    payUrl,
  };
}

function orderTitle(order: WooOrder, language: Language): string {
  const names = itemNames(order);
  const shown = names.slice(0, wooLimits.itemsInTitle).join(", ");
  const more = names.length > wooLimits.itemsInTitle ? "…" : "";
  const title = `${language === "fr" ? "Commande" : "Order"} ${order.number ?? order.id}`;
  return shown === "" ? title : `${title} · ${shown}${more}`;
}

/** What the shopper entered at the checkout. The hosted page asks for it again where it is missing or invalid. */
function customerOf({ billing }: WooOrder): BridgedOrder["customer"] {
  if (!billing) return { name: undefined, email: undefined, phone: undefined };
  const name = [billing.first_name, billing.last_name].filter((part) => part).join(" ");
  const phone = toInternationalPhone(billing.phone ?? "", billing.country ?? "");
  return { name, email: billing.email ?? undefined, phone };
}
