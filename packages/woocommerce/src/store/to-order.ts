import { type Customer, type Environment, type Language, type Order, type OrderRef, parseMoney } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import { toInternationalPhone } from "./customer-phone.ts";
import { describeItems, itemNames } from "./order-items.ts";
import { paidByOf, readMarkedPaid } from "./paid-by.ts";
import { isPayable, languageOf, type WooOrder } from "./woo-order.ts";

/** @throws CheckoutError `amount_invalid`, `currency_not_supported` */
export function toOrder(
  order: WooOrder,
  ref: OrderRef,
  store: { readonly environment: Environment; readonly language: Language },
): Order {
  const language = languageOf(order, store.language);
  const paidBy = paidByOf(order);
  return {
    ref,
    // WooCommerce has no ID of a payment attempt.
    attempt: "",
    total: parseMoney(order.total, order.currency),
    number: order.number ?? String(order.id),
    title: orderTitle(order, language),
    description: describeItems(order),
    customer: customerOf(order),
    environment: store.environment,
    language,
    payable: paidBy === null && isPayable(order),
    paidBy,
    ...(paidBy === "owner" ? { markedPaid: readMarkedPaid(order) } : {}),
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
function customerOf({ billing }: WooOrder): Customer {
  if (!billing) return {};
  const name = [billing.first_name, billing.last_name].filter((part) => part).join(" ");
  const phone = toInternationalPhone(billing.phone ?? "", billing.country ?? "");
  return { name, email: billing.email ?? undefined, phone };
}
