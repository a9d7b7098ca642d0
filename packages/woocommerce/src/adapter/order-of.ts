import { type Environment, type Language, type Order, type OrderRef, parseMoney } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import { paidByOf, setPaidOf } from "./paid-by.ts";
import { isPayable, languageOf, type WooOrder } from "./woo-order.ts";

/** @throws CheckoutError `amount_invalid`, `currency_not_supported` */
export function orderOf(
  order: WooOrder,
  ref: OrderRef,
  shop: { readonly environment: Environment; readonly language: Language },
): Order {
  const language = languageOf(order, shop.language);
  const paidBy = paidByOf(order);
  return {
    ref,
    attempt: "",
    total: parseMoney(order.total, order.currency),
    title: titleOf(order, language),
    environment: shop.environment,
    language,
    payable: paidBy === null && isPayable(order),
    paidBy,
    ...(paidBy === "owner" ? { setPaid: setPaidOf(order) } : {}),
  };
}

function titleOf({ id, number, line_items: items }: WooOrder, language: Language): string {
  const names = items.map(({ name }) => plainText(name ?? "")).filter((name) => name !== "");
  const shown = names.slice(0, wooLimits.titleItems).join(", ");
  const more = names.length > wooLimits.titleItems ? "…" : "";
  const order = `${language === "fr" ? "Commande" : "Order"} ${number ?? id}`;
  return shown === "" ? order : `${order} · ${shown}${more}`;
}

// WordPress keeps some names with entities in them.
function plainText(text: string): string {
  return text
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
