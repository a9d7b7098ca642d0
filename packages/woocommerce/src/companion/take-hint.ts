import { createHmac } from "node:crypto";
import { codeOf } from "@tillkit/core";
import type { Request, Response } from "express";
import { isOrderId } from "../adapter/woo-order.ts";
import { sameText } from "../protocol/signature.ts";
import { readJson } from "../transport/read-json.ts";
import { checkOrder } from "./answer-order.ts";
import type { CompanionStore, Desk } from "./desk.ts";

/**
 * WooCommerce's own webhooks: they come late or never, so nothing depends on them. One that names an order makes us look at
 * its payments. WooCommerce switches a webhook off after five failures: everything that is not forged is answered 200.
 */
export function takeHint(desk: Desk, request: Request, response: Response): void {
  const store = desk.stores.get(String(request.params.storeId));
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const text = Buffer.from(bytes).toString("utf8");
  const reading = readHint(store, bytes, text, String(request.headers["x-wc-webhook-signature"] ?? ""));
  response.writeHead(STATUS[reading], { "Cache-Control": "no-store" }).end();
  const orderId = reading === "hint" ? orderIn(readJson(text)) : null;
  if (!store || orderId === null) return;
  checkOrder(desk, { storeId: store.config.id, orderId }).catch((error: unknown) => {
    desk.log.warn("woo.hint_failed", { storeId: store.config.id, code: codeOf(error) });
  });
}

type HintReading = "unknown" | "forged" | "ping" | "hint";

const STATUS: Readonly<Record<HintReading, number>> = { unknown: 404, forged: 401, ping: 200, hint: 200 };

function readHint(store: CompanionStore | undefined, bytes: Uint8Array, text: string, signature: string): HintReading {
  const secret = store?.config.hintSecret;
  if (secret === undefined) return "unknown";
  // The ping at creation is a form, unsigned and without a topic.
  if (/^webhook_id=\d+$/.test(text)) return "ping";
  return sameText(createHmac("sha256", secret).update(bytes).digest("base64"), signature) ? "hint" : "forged";
}

function orderIn(body: object | null): string | null {
  if (body === null || !("id" in body)) return null;
  const id = String(body.id);
  return isOrderId(id) ? id : null;
}
