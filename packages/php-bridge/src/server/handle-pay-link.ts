import type { IncomingHttpHeaders } from "node:http";
import { constantTimeEqual } from "@tillkit/client/webhooks";
import { codeOf, type Order, type OrderRef, parseMoney, sameMoney } from "@tillkit/core";
import { mustMerchantAct } from "@tillkit/core/hosts";
import { type ShopperPage, sendShopperPage } from "@tillkit/server";
import type { Request, Response } from "express";
import type { AppContext, ConnectedStore } from "../app-context.ts";
import { storeOrderKey } from "../calls/order-key.ts";
import { findSigner } from "../find-signer.ts";
import { noteMessages } from "../notes/note-messages.ts";
import { type BridgedOrder, toOrder } from "../orders/bridged-order.ts";
import { type PayLink, verifyPayLink } from "../pay-link.ts";
import type { LinkSecrets } from "../signature.ts";
import { shopperUrlOf } from "../store/shopper-url.ts";

type Reply = { readonly redirectUrl: string } | { readonly page: ShopperPage };

/**
 * Answers a shopper who follows a pay link. The signed link is not enough: order key, total and payment method are read from the
 * shop before a checkout session is opened.
 */
export async function handlePayLink(context: AppContext, request: Request, response: Response): Promise<void> {
  const reply = await resolvePayLink(context, request);
  if ("page" in reply) return sendShopperPage(request, response, reply.page);
  response
    .writeHead(303, { Location: reply.redirectUrl, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" })
    .end();
}

async function resolvePayLink(context: AppContext, request: Request): Promise<Reply> {
  const query = new URL(request.originalUrl, "http://checkout-server").searchParams;
  const verify = (secrets: LinkSecrets | null) => verifyPayLink(query, () => secrets, context.clock.now());
  // Reads the shop's secrets again if no known secret fits the link. The second verification below then uses the new secrets.
  const isSigned = (secrets: LinkSecrets) => verify(secrets).status !== "forged";
  const store = await findSigner(context, query.get("store") ?? "", isSigned);
  const verification = verify(store?.linkSecrets ?? null);
  if (verification.status !== "valid") {
    // Scanners ask for addresses like these all day.
    context.log.info("link_refused", { reason: verification.status });
    return { page: INVALID_LINK_PAGES[verification.status] };
  }
  if (!store) return { page: INVALID_LINK_PAGES.malformed };
  // Link previews, scanners and prefetching browsers must not start a payment.
  if (request.method === "HEAD" || isPrefetch(request.headers)) return TRY_LATER;
  try {
    return await startPayment(context, store, verification.link);
  } catch (error) {
    return failureReply(context, store, verification.link, codeOf(error), null);
  }
}

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return /prefetch|prerender|preview/i.test(`${headers["sec-purpose"]} ${headers.purpose} ${headers["x-purpose"]}`);
}

const INVALID_LINK_PAGES: Readonly<Record<"malformed" | "forged" | "expired", ShopperPage>> = {
  malformed: { name: "linkBroken", status: 404 },
  forged: { name: "linkForged", status: 403 },
  expired: { name: "linkExpired", status: 410 },
};

/** The link of the page's button: an empty URL loads the same address again. */
const SAME_URL = "";

const TRY_LATER: Reply = { page: { name: "tryLater", status: 503, actionUrl: SAME_URL } };

async function startPayment(context: AppContext, store: ConnectedStore, link: PayLink): Promise<Reply> {
  const ref = { storeId: store.config.id, orderId: link.order };
  if (!store.takesPayments) return { page: { name: "shopMustAct", status: 503, shopUrl: store.connection.url } };
  const shown = await store.connection.readForPayment(ref);
  if (!shown || !constantTimeEqual(shown.key, link.key)) {
    // The shopper sees one page for both: a wrong key must not tell whether the order exists.
    return refusal(context, ref, shown ? "other_key" : "order_gone", { name: "orderGone", status: 404 });
  }
  // The page where the shopper can review and pay the order again.
  const shopUrl = shopperUrlOf(shown, store.connection, "cancelled");
  try {
    const order = toOrder(shown, ref, store.connection);
    const refused = order.paidBy === null ? await refuseUnfit(context, store, { shown, order, link, shopUrl }) : null;
    if (refused) return refused;
    await storeOrderKey(context, ref, shown.key);
    const start = await context.checkout.startCheckout(order);
    if (start.status === "held") return { page: { name: "held", status: 200, shopUrl } };
    if (start.status === "redirect") return { redirectUrl: start.url };
    return { redirectUrl: shopperUrlOf(shown, store.connection, "paid") };
  } catch (error) {
    if (codeOf(error) !== "order_not_payable") return failureReply(context, store, link, codeOf(error), shopUrl);
    const { status } = shown;
    const name = shown.isClosed ? "orderClosed" : "orderNotPayable";
    return refusal(context, ref, `status_${status}`, { name, status: 409, shopUrl });
  }
}

type UnpaidOrder = {
  readonly shown: BridgedOrder;
  readonly order: Order;
  readonly link: PayLink;
  readonly shopUrl: string;
};

/** Null: the unpaid order is still the one that the link describes. */
async function refuseUnfit(
  context: AppContext,
  store: ConnectedStore,
  { shown, order, link, shopUrl }: UnpaidOrder,
): Promise<Reply | null> {
  if (!shown.isOurs) {
    return refusal(context, order.ref, "other_method", { name: "otherMethod", status: 409, shopUrl });
  }
  if (!matchesLink(shown, order, link)) {
    await reportRefusedLink(context, store, shown, link);
    return { page: { name: "orderChanged", status: 409, shopUrl } };
  }
  const isAccepted = store.config.currencies.includes(order.total.currency);
  return isAccepted ? null : failureReply(context, store, link, "currency_not_supported", shopUrl);
}

function refusal({ log }: AppContext, ref: OrderRef, reason: string, page: ShopperPage): Reply {
  log.warn("link_refused", { ...ref, reason });
  return { page };
}

/** A link that never fits, for example because another plugin changes totals, would be refused for ever without anybody knowing. */
async function reportRefusedLink(
  { log }: AppContext,
  { config, adapter, connection }: ConnectedStore,
  order: BridgedOrder,
  link: PayLink,
): Promise<void> {
  const [linked, asked] = [`${link.amount} ${link.currency}`, `${order.total} ${order.currency}`];
  const ref = { storeId: config.id, orderId: link.order };
  log.warn("order_changed", { ...ref, linked, asked });
  const text = noteMessages(order.language ?? config.language, connection.platform.words).linkRefused(linked, asked);
  // The same key is noted once.
  await adapter.addNote?.(ref, "link-refused", text).catch((error: unknown) => {
    log.warn("note_not_added", { ...ref, code: codeOf(error) });
  });
}

function matchesLink(shown: BridgedOrder, { total }: Order, { amount, currency }: PayLink): boolean {
  return shown.currency === currency && sameMoney(parseMoney(amount, currency), total);
}

function failureReply(
  context: AppContext,
  store: ConnectedStore,
  link: PayLink,
  code: string,
  shopUrl: string | null,
): Reply {
  context.log.error("pay_failed", { storeId: store.config.id, orderId: link.order, code });
  if (mustMerchantAct(code)) return { page: { name: "shopMustAct", status: 500, shopUrl } };
  return { page: { name: "tryLater", status: 503, shopUrl, actionUrl: SAME_URL } };
}
