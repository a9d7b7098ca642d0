import { codeOf } from "@tillkit/core";
import type { Request, RequestHandler } from "express";
import type { Desk } from "../app/desk.ts";
import { shopifyLimits } from "../limits.ts";
import { readShopDomain } from "../shop/shop-domain.ts";
import { isSignedWebhook } from "../signatures/webhook-hmac.ts";
import type { HookErrand } from "./hook-errand.ts";
import { isTopic, TOPICS, type Topic, type TopicReading } from "./topics.ts";

/**
 * All webhooks of Shopify: signed over the raw bytes, written down once under their id, answered, and worked on later.
 * Shopify takes a subscription away whose deliveries fail, so what is not forged is answered 200.
 */
export function takeWebhook(desk: Desk): RequestHandler {
  return async function webhook(request, response) {
    const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    const status = await answer(bytes, request).catch((error: unknown) => {
      desk.log.error("shopify.webhook_not_kept", { code: codeOf(error) });
      return 503;
    });
    response.writeHead(status, { "Cache-Control": "no-store" }).end();
  };

  async function answer(bytes: Uint8Array, request: Request): Promise<number> {
    if (!isFromShopify(bytes, request)) return 401;
    const { shop, topic, id } = headersOf(request);
    if (shop === null || !/^[\w-]{1,100}$/.test(id)) return 400;
    if (!isTopic(topic)) return ignored(shop, "topic_not_known");
    const body = readBody(topic, bytes);
    if (body === null) return ignored(shop, "unreadable");
    // The signature covers the body only: a header that names another shop was put there by somebody else.
    if (body.shop !== undefined && readShopDomain(body.shop) !== shop) return 401;
    const { orderIds, refundId } = body;
    const errand: HookErrand = { topic, triggeredAt: triggeredAt(request), orderIds, refundId };
    await desk.errands.hooks.add(shop, `${topic} ${id}`, errand);
    return 200;
  }

  function isFromShopify(bytes: Uint8Array, request: Request): boolean {
    const [signature, ...more] = request.headersDistinct["x-shopify-hmac-sha256"] ?? [];
    if (signature === undefined || more.length > 0) return false;
    return isSignedWebhook(bytes, signature, desk.oauth.clientSecret);
  }

  function ignored(storeId: string, why: string): number {
    desk.log.warn("shopify.webhook_ignored", { storeId, why });
    return 200;
  }

  // Deliveries are late, never early.
  function triggeredAt({ headers }: Request): number {
    const at = Date.parse(String(headers["x-shopify-triggered-at"] ?? ""));
    const now = desk.clock.now();
    return Number.isNaN(at) ? now : Math.min(at, now);
  }
}

function headersOf({ headers }: Request) {
  return {
    shop: readShopDomain(headers["x-shopify-shop-domain"]),
    topic: String(headers["x-shopify-topic"] ?? ""),
    id: String(headers["x-shopify-webhook-id"] ?? ""),
  };
}

function readBody(topic: Topic, bytes: Uint8Array): TopicReading | null {
  try {
    const body = TOPICS[topic].safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
    return body.success ? body.data : null;
  } catch {
    return null;
  }
}

/** The largest body of a webhook: a whole order. */
export const WEBHOOK_BODY = { type: () => true, limit: shopifyLimits.webhookBytes } as const;
