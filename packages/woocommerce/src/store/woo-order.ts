import { type Language, parseMoney, type Receipt, StoreError, sameMoney } from "@tillkit/core";
import { z } from "zod";
import { META } from "../protocol/names.ts";

const customerText = z.string().nullish().catch(null);

/** The fields of `GET /wc/v3/orders/{id}` that the checkout server reads. */
export const wooOrderSchema = z.object({
  id: z.number(),
  number: z.string().optional(),
  order_key: z.string(),
  status: z.string(),
  currency: z.string(),
  total: z.string(),
  /** What WooCommerce and the filters of other plugins say: a status of their own may be payable. */
  needs_payment: z.boolean().default(false).catch(false),
  date_paid_gmt: z.string().nullable(),
  date_completed_gmt: z.string().nullish(),
  payment_method: z.string(),
  transaction_id: z.string().default(""),
  payment_url: z.string().optional(),
  line_items: z.array(z.object({ name: z.string().nullable(), quantity: z.number().nullish() })).default([]),
  /** What the shopper entered. A missing or odd value must not make the order unreadable. */
  billing: z
    .object({
      first_name: customerText,
      last_name: customerText,
      email: customerText,
      phone: customerText,
      country: customerText,
    })
    .nullish()
    .catch(null),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).default([]),
});

/** `total`: a decimal number as text, with the shop's number of decimals. */
export type WooOrder = z.infer<typeof wooOrderSchema>;

/** @throws StoreError `unavailable` for a body that is not this order, for instance from a cache */
export function readWooOrder(body: object, orderId: string): WooOrder {
  const parsed = wooOrderSchema.safeParse(body);
  if (parsed.success && String(parsed.data.id) === orderId) return parsed.data;
  throw new StoreError(
    "unavailable",
    "The shop's answer is not the requested order: exclude /wp-json/ from every cache.",
  );
}

/**
 * Payable also where WooCommerce says that no payment is needed. `on-hold`: orders under review, and orders that await a payment by
 * another method, such as a transfer.
 */
const PAYABLE_STATUSES: ReadonlySet<string> = new Set(["pending", "failed", "on-hold", "checkout-draft"]);

export function isPayable({ status, needs_payment }: Pick<WooOrder, "status" | "needs_payment">): boolean {
  return PAYABLE_STATUSES.has(status) || needs_payment;
}

/** Whether the order will not be paid any more. In every other status that is not payable, it may become payable again. */
export function isClosed({ status }: Pick<WooOrder, "status">): boolean {
  return ["cancelled", "refunded", "trash"].includes(status);
}

/** Whether the order still has the total against which the payment was verified. */
export function totalMatches(order: WooOrder, { total }: Pick<Receipt, "total">): boolean {
  try {
    return sameMoney(parseMoney(order.total, order.currency), total);
  } catch {
    return false;
  }
}

export function metaOf({ meta_data: meta }: WooOrder, key: string): string {
  const value = meta.find((entry) => entry.key === key)?.value;
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

export function languageOf(order: WooOrder, fallback: Language): Language {
  const language = metaOf(order, META.language);
  return language === "fr" || language === "en" ? language : fallback;
}
