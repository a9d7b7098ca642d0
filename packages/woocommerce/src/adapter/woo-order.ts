import {
  type Environment,
  type Language,
  type Order,
  type OrderRef,
  parseMoney,
  type Receipt,
  StoreError,
  sameMoney,
} from "@tillkit/core";
import { z } from "zod";
import { wooLimits } from "../limits.ts";
import { GATEWAY, META } from "../protocol/names.ts";

const schema = z.object({
  id: z.number(),
  number: z.string().optional(),
  order_key: z.string(),
  status: z.string(),
  currency: z.string(),
  total: z.string(),
  date_paid_gmt: z.string().nullable(),
  payment_method: z.string(),
  payment_url: z.string().optional(),
  line_items: z.array(z.object({ name: z.string().nullable() })).default([]),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).default([]),
});

/** An order as `GET /wc/v3/orders/{id}` tells it, as far as we look. `total` is a decimal text in the shop's own decimals. */
export type WooOrder = z.infer<typeof schema>;

/** @throws StoreError `unavailable` when it is no order, or another one: some caches answer for somebody else */
export function readWooOrder(body: object, orderId: string): WooOrder {
  const read = schema.safeParse(body);
  if (read.success && String(read.data.id) === orderId) return read.data;
  throw new StoreError(
    "unavailable",
    "The shop's answer is not the order that was asked for: exclude /wp-json/ from every cache.",
  );
}

/** Ids of WooCommerce are whole numbers; whatever else is asked for does not exist. */
export function isOrderId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}

/** The payment that the order shows, `outside` when it was paid by something else, null while it is unpaid. */
export function proofOf(order: WooOrder): string | null {
  if (order.date_paid_gmt === null || order.date_paid_gmt === "") return null;
  const payment = order.payment_method === GATEWAY ? metaOf(order, META.payment) : "";
  return payment === "" ? "outside" : payment;
}

/** On hold is payable: it is where we put an order that the owner has to look at, and where other methods wait for money. */
const PAYABLE: ReadonlySet<string> = new Set(["pending", "failed", "on-hold", "checkout-draft"]);

export function isPayable({ status }: WooOrder): boolean {
  return PAYABLE.has(status);
}

/** Whether the order still asks for what the payment was judged by. */
export function asksFor(order: WooOrder, { total }: Pick<Receipt, "total">): boolean {
  try {
    return sameMoney(parseMoney(order.total, order.currency), total);
  } catch {
    return false;
  }
}

export function metaOf({ meta_data: meta }: WooOrder, key: string): string {
  const found = meta.find((one) => one.key === key)?.value;
  return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

export function languageOf(order: WooOrder, otherwise: Language): Language {
  const language = metaOf(order, META.language);
  return language === "fr" || language === "en" ? language : otherwise;
}

/** @throws CheckoutError `amount_invalid`, `currency_not_supported` */
export function orderOf(
  order: WooOrder,
  ref: OrderRef,
  shop: { readonly environment: Environment; readonly language: Language },
): Order {
  const language = languageOf(order, shop.language);
  const paidBy = proofOf(order);
  return {
    ref,
    attempt: "",
    total: parseMoney(order.total, order.currency),
    title: titleOf(order, language),
    environment: shop.environment,
    language,
    payable: paidBy === null && isPayable(order),
    paidBy,
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
