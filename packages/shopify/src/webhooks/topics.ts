import { z } from "zod";

const shopDomain = z.object({ shop_domain: z.string() });
const orderNumber = z.union([z.number().int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String);

/** What is read of each topic's body; the rest, a customer's data for one, is not even looked at. */
export const TOPICS = {
  "app/uninstalled": z
    .object({ myshopify_domain: z.string().optional() })
    .transform((body) => ({ shop: body.myshopify_domain, orderIds: [], refundId: null })),
  "customers/data_request": shopDomain
    .extend({ orders_requested: z.array(orderNumber).default([]) })
    .transform((body) => ({ shop: body.shop_domain, orderIds: body.orders_requested, refundId: null })),
  "customers/redact": shopDomain
    .extend({ orders_to_redact: z.array(orderNumber).default([]) })
    .transform((body) => ({ shop: body.shop_domain, orderIds: body.orders_to_redact, refundId: null })),
  "shop/redact": shopDomain.transform((body) => ({ shop: body.shop_domain, orderIds: [], refundId: null })),
  "orders/create": order(),
  "orders/updated": order(),
  "orders/cancelled": order(),
  "refunds/create": z
    .object({ id: orderNumber, order_id: orderNumber })
    .transform((body) => ({ shop: undefined, orderIds: [body.order_id], refundId: body.id })),
} as const satisfies Record<string, z.ZodType<TopicReading>>;

export type TopicReading = {
  /** Whom the signed body names, where it names a shop. */
  readonly shop: string | undefined;
  readonly orderIds: readonly string[];
  readonly refundId: string | null;
};

export type Topic = keyof typeof TOPICS;

/** Those that an app subscribes to. The compliance topics are Shopify's own to send, and stand in the app's toml only. */
export function subscribedTopics(mode: "offsite" | "order"): readonly Topic[] {
  if (mode === "offsite") return ["app/uninstalled"];
  return ["app/uninstalled", "orders/create", "orders/updated", "orders/cancelled", "refunds/create"];
}

export function isTopic(text: string): text is Topic {
  return Object.hasOwn(TOPICS, text);
}

function order() {
  return z.object({ id: orderNumber }).transform((body) => ({ shop: undefined, orderIds: [body.id], refundId: null }));
}
