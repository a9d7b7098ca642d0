import { type Language, parseMoney, type Receipt, StoreError, sameMoney } from "@tillkit/core";
import { z } from "zod";
import { META } from "../protocol/names.ts";

/** As `GET /wc/v3/orders/{id}` tells an order, as far as we look. */
export const wooOrderSchema = z.object({
  id: z.number(),
  number: z.string().optional(),
  order_key: z.string(),
  status: z.string(),
  currency: z.string(),
  total: z.string(),
  date_paid_gmt: z.string().nullable(),
  date_completed_gmt: z.string().nullish(),
  payment_method: z.string(),
  transaction_id: z.string().default(""),
  payment_url: z.string().optional(),
  line_items: z.array(z.object({ name: z.string().nullable() })).default([]),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).default([]),
});

/** `total` is a decimal text in the shop's own decimals. */
export type WooOrder = z.infer<typeof wooOrderSchema>;

/** @throws StoreError `unavailable` when it is no order, or another one: some caches answer for somebody else */
export function readWooOrder(body: object, orderId: string): WooOrder {
  const read = wooOrderSchema.safeParse(body);
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
