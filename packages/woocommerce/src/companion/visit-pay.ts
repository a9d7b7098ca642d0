import type { IncomingHttpHeaders } from "node:http";
import { codeOf, type Order, parseMoney, sameMoney } from "@tillkit/core";
import { type BuyerPage, sendBuyerPage } from "@tillkit/server";
import type { Request, Response } from "express";
import { urlOn } from "../adapter/buyer-url.ts";
import { orderOf } from "../adapter/order-of.ts";
import type { WooOrder } from "../adapter/woo-order.ts";
import { GATEWAY } from "../protocol/names.ts";
import { type PayLink, readPayLink } from "../protocol/pay-link.ts";
import { sameText } from "../protocol/signature.ts";
import type { CompanionStore, Desk } from "./desk.ts";
import { keepOrderKey } from "./known-order.ts";

type Reply = { readonly go: string } | { readonly page: BuyerPage };

/**
 * A shopper comes with a pay link of the shop. The link is only a claim: order, key, total and payment method are read from
 * the shop before anything is opened for them.
 */
export async function visitPay(desk: Desk, request: Request, response: Response): Promise<void> {
  const reply = await replyTo(desk, request);
  if ("page" in reply) return sendBuyerPage(request, response, reply.page);
  response.writeHead(303, { Location: reply.go, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" }).end();
}

async function replyTo(desk: Desk, request: Request): Promise<Reply> {
  const query = new URL(request.originalUrl, "http://companion").searchParams;
  const reading = readPayLink(query, (storeId) => desk.stores.get(storeId)?.secrets ?? null, desk.clock.now());
  if (reading.say !== "valid") return { page: BAD_LINKS[reading.say] };
  const store = desk.stores.get(reading.link.store);
  if (!store) return { page: BAD_LINKS.garbage };
  // Whoever only looks where the link leads (a preview, a scanner, a browser that guesses) begins no payment.
  if (request.method === "HEAD" || isGuess(request.headers)) return LATER;
  try {
    return await pay(desk, store, reading.link);
  } catch (error) {
    return refused(desk, store, reading.link, codeOf(error), null);
  }
}

function isGuess(headers: IncomingHttpHeaders): boolean {
  return /prefetch|prerender|preview/i.test(`${headers["sec-purpose"]} ${headers.purpose} ${headers["x-purpose"]}`);
}

const BAD_LINKS: Readonly<Record<"garbage" | "forged" | "expired", BuyerPage>> = {
  garbage: { name: "linkBroken", status: 404 },
  forged: { name: "linkForged", status: 403 },
  expired: { name: "linkExpired", status: 410 },
};

const LATER: Reply = { page: { name: "tryLater", status: 503, actionUrl: "" } };

async function pay(desk: Desk, store: CompanionStore, link: PayLink): Promise<Reply> {
  const ref = { storeId: store.config.id, orderId: link.order };
  const found = await store.shop.readOrder(ref);
  if (!found || !sameText(found.order_key, link.key)) return { page: { name: "orderGone", status: 404 } };
  // Where the shopper can look at the order again, and pay it.
  const shopUrl = urlOn(found, store.shop, "cancelled");
  try {
    const order = orderOf(found, ref, store.shop);
    if (order.paidBy === null && !isAsLinked(found, order, link)) {
      desk.log.info("woo.order_changed", { storeId: ref.storeId, orderId: ref.orderId });
      return { page: { name: "orderChanged", status: 409, shopUrl } };
    }
    if (order.paidBy === null && !store.config.currencies.includes(order.total.currency)) {
      return refused(desk, store, link, "currency_not_supported", shopUrl);
    }
    await keepOrderKey(desk, ref, found.order_key);
    const start = await desk.checkout.startCheckout(order);
    if (start.status === "held") return { page: { name: "held", status: 200, shopUrl } };
    return { go: start.status === "redirect" ? start.url : urlOn(found, store.shop, "paid") };
  } catch (error) {
    return refused(desk, store, link, codeOf(error), shopUrl);
  }
}

function isAsLinked(found: WooOrder, { total }: Order, { amount, currency }: PayLink): boolean {
  if (found.payment_method !== GATEWAY) return false;
  return found.currency === currency && sameMoney(parseMoney(amount, currency), total);
}

/** Trying again does not help before the owner changed something. */
const SHOP_MUST_ACT: ReadonlySet<string> = new Set([
  "session_refused",
  "session_unusable",
  "amount_invalid",
  "currency_not_supported",
  "environment_differs",
  "credential_not_known",
  "reconnect",
]);

function refused(desk: Desk, store: CompanionStore, link: PayLink, code: string, shopUrl: string | null): Reply {
  if (code === "order_not_payable") return { page: { name: "orderClosed", status: 409, shopUrl } };
  desk.log.error("woo.pay_failed", { storeId: store.config.id, orderId: link.order, code });
  if (SHOP_MUST_ACT.has(code)) return { page: { name: "shopMustAct", status: 500, shopUrl } };
  return { page: { name: "tryLater", status: 503, shopUrl, actionUrl: "" } };
}
