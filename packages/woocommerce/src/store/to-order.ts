import { type Environment, type Language, type Order, type OrderRef, parseMoney } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
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
    title: orderTitle(order, language),
    environment: store.environment,
    language,
    payable: paidBy === null && isPayable(order),
    paidBy,
    ...(paidBy === "owner" ? { markedPaid: readMarkedPaid(order) } : {}),
  };
}

function orderTitle({ id, number, line_items: items }: WooOrder, language: Language): string {
  const names = items.map(({ name }) => decodeEntities(name ?? "")).filter((name) => name !== "");
  const shown = names.slice(0, wooLimits.itemsInTitle).join(", ");
  const more = names.length > wooLimits.itemsInTitle ? "…" : "";
  const order = `${language === "fr" ? "Commande" : "Order"} ${number ?? id}`;
  return shown === "" ? order : `${order} · ${shown}${more}`;
}

/** WordPress stores some product names with HTML entities. */
function decodeEntities(text: string): string {
  return text
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
