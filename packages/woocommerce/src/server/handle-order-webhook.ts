import { createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";
import { codeOf } from "@tillkit/core";
import { type AppContext, type ConnectedStore, checkOrderPayments, isOrderId, readJson } from "@tillkit/php-bridge";
import type { Request, Response } from "express";
import type { StoreConfig } from "../config/schema.ts";

/**
 * Receives WooCommerce's own webhooks. They may arrive late or never, so nothing depends on them: a webhook about an order only
 * triggers a verification of the order's payments. WooCommerce disables a webhook after five failures, so every authentic webhook
 * is answered 200.
 */
export async function handleOrderWebhook(context: AppContext, request: Request, response: Response): Promise<void> {
  const store = await context.shops.find(String(request.params.storeId));
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const text = Buffer.from(bytes).toString("utf8");
  const kind = verifyOrderWebhook(store, bytes, text, String(request.headers["x-wc-webhook-signature"] ?? ""));
  response.writeHead(RESPONSE_STATUS[kind], { "Cache-Control": "no-store" }).end();
  const orderId = kind === "order" ? readOrderId(readJson(text)) : null;
  if (!store || orderId === null) return;
  const ref = { storeId: store.config.id, orderId };
  context.engine.storeBlocks
    .gaveSign(ref.storeId)
    .then(() => checkOrderPayments(context, ref))
    .catch((error: unknown) => {
      context.log.warn("order_webhook_failed", { storeId: store.config.id, code: codeOf(error) });
    });
}

type WebhookKind = "unknown" | "forged" | "ping" | "order";

const RESPONSE_STATUS: Readonly<Record<WebhookKind, number>> = { unknown: 404, forged: 401, ping: 200, order: 200 };

function verifyOrderWebhook(
  store: ConnectedStore | undefined,
  bytes: Uint8Array,
  text: string,
  signature: string,
): WebhookKind {
  const secret = (store?.config as Partial<StoreConfig> | undefined)?.shopWebhookSecret;
  if (secret === undefined) return "unknown";
  // WooCommerce sends an unsigned form without a topic when a webhook is created.
  if (/^webhook_id=\d+$/.test(text)) return "ping";
  return constantTimeEqual(createHmac("sha256", secret).update(bytes).digest("base64"), signature) ? "order" : "forged";
}

function readOrderId(body: object | null): string | null {
  if (body === null || !("id" in body)) return null;
  const id = String(body.id);
  return isOrderId(id) ? id : null;
}
