import { codeOf } from "@tillkit/core";
import { paymentOfRefund } from "@tillkit/core/store-refunds";
import type { Request, RequestHandler } from "express";
import type { AppContext } from "../app-context.ts";
import { shopRefundKey } from "../order/shop-refund.ts";
import { readShopDomain } from "../shop-domain.ts";
import { isWebhookSignedByShopify } from "../signatures/webhook-signature.ts";
import { addTask } from "../tasks/add-task.ts";
import { isWebhookTopic, readWebhookBody } from "./webhook-bodies.ts";

/**
 * `POST /shopify/webhooks`: verifies the signature over the raw bytes, stores a task once for each webhook id, and answers. The
 * task runs later. Shopify deletes a subscription whose deliveries fail, so a webhook that the app ignores is also answered 200.
 */
export function receiveWebhook(context: AppContext): RequestHandler {
  return async function webhook(request, response) {
    const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    const status = await receive(bytes, request).catch((error: unknown) => {
      context.log.error("shopify.webhook_not_stored", { code: codeOf(error) });
      return 503;
    });
    response.writeHead(status, { "Cache-Control": "no-store" }).end();
  };

  async function receive(bytes: Uint8Array, request: Request): Promise<number> {
    if (!isFromShopify(bytes, request)) return 401;
    const { shop, topic, id } = headersOf(request);
    if (shop === null || !/^[\w-]{1,100}$/.test(id)) return 400;
    if (!isWebhookTopic(topic)) return ignore(shop, "topic_not_known");
    const body = readWebhookBody(topic, bytes);
    if (body === null) return ignore(shop, "unreadable");
    // The signature covers only the body, so a header that names another shop than the body is forged.
    if (body.shop !== undefined && readShopDomain(body.shop) !== shop) return 401;
    const { orderIds, refundId } = body;
    const task = { topic, triggeredAt: triggeredAt(request), orderIds, refundId };
    const paymentId = refundId === null ? null : await paymentIdOf(shop, orderIds, refundId);
    await addTask(context, { kind: "shopify.webhook", shop, uniqueKey: `${topic} ${id}`, task, paymentId });
    return 200;
  }

  async function paymentIdOf(storeId: string, [orderId = ""]: readonly string[], refundId: string) {
    const payments = await context.ledger.paymentsOfOrder({ storeId, orderId });
    return (await paymentOfRefund(context.ledger, payments, shopRefundKey(refundId)))?.id ?? null;
  }

  function isFromShopify(bytes: Uint8Array, request: Request): boolean {
    const [signature, ...more] = request.headersDistinct["x-shopify-hmac-sha256"] ?? [];
    if (signature === undefined || more.length > 0) return false;
    return isWebhookSignedByShopify(bytes, signature, context.oauth.clientSecret);
  }

  function ignore(storeId: string, reason: string): number {
    context.log.warn("shopify.webhook_ignored", { storeId, reason });
    return 200;
  }

  // A delivery cannot arrive before it was triggered, so a time in the future is replaced.
  function triggeredAt({ headers }: Request): number {
    const at = Date.parse(String(headers["x-shopify-triggered-at"] ?? ""));
    const now = context.clock.now();
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
