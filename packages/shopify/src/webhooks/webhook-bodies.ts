import { z } from "zod";
import type { WebhookTopic } from "../config/webhook-topics.ts";

export type WebhookBody = {
  /** The shop that the signed body names, where it names one. */
  readonly shop: string | undefined;
  readonly orderIds: readonly string[];
  readonly refundId: string | null;
};

const shopDomain = z.object({ shop_domain: z.string() });
const orderNumber = z.union([z.number().int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String);
const order = z
  .object({ id: orderNumber })
  .transform((body): WebhookBody => ({ shop: undefined, orderIds: [body.id], refundId: null }));

/** The fields that are read of each topic. Other fields, such as a customer's data, are ignored. */
const BODIES: Readonly<Record<WebhookTopic, z.ZodType<WebhookBody>>> = {
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
  "orders/create": order,
  "orders/updated": order,
  "orders/cancelled": order,
  "refunds/create": z
    .object({ id: orderNumber, order_id: orderNumber })
    .transform((body) => ({ shop: undefined, orderIds: [body.order_id], refundId: body.id })),
};

export function isWebhookTopic(topic: string): topic is WebhookTopic {
  return Object.hasOwn(BODIES, topic);
}

/** Null for a body that is not JSON or lacks a field. */
export function readWebhookBody(topic: WebhookTopic, bytes: Uint8Array): WebhookBody | null {
  try {
    const body = BODIES[topic].safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
    return body.success ? body.data : null;
  } catch {
    return null;
  }
}
