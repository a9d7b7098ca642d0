import { codeOf } from "@tillkit/core";
import { createAttemptLimit, privateHeaders, type ShopperPage, sendShopperPage } from "@tillkit/server";
import type { Request, RequestHandler } from "express";
import type { AppContext } from "../app-context.ts";
import { shopifyLimits } from "../limits.ts";
import type { Shop } from "../records/shops.ts";
import { readShopDomain } from "../shop-domain.ts";
import { findOrder, type OrderLookup, readLookup } from "./find-order.ts";
import { gidNumber } from "./order-number.ts";
import { isOurOrder } from "./order-transactions.ts";

type Reply = { readonly redirectTo: string } | { readonly page: ShopperPage };

/**
 * `GET /shopify/order-pay?shop=…&order=…&confirmation=…`, or `…&checkout_token=…`: redirects from a page or an e-mail of the shop to
 * the pay link of the order. The confirmation number and the checkout token are random, so that nobody finds the orders of others.
 * Each address may look up a limited number of orders.
 */
export function orderPayRoute(context: AppContext): RequestHandler {
  const lookups = createAttemptLimit(context.clock, {
    maxAttempts: shopifyLimits.lookupsPerWindow,
    windowMs: shopifyLimits.lookupWindowMs,
  });

  async function replyTo({ query, ip = "" }: Request): Promise<Reply> {
    const domain = readShopDomain(query.shop);
    const lookup = readLookup(query);
    if (domain === null || lookup === null) return BROKEN_LINK;
    const shop = await context.shops.find(domain);
    if (!shop || shop.uninstalledAt !== null) return BROKEN_LINK;
    if (!lookups.isAllowed(ip)) return TRY_LATER;
    lookups.record(ip);
    return await lookUp(context, shop, lookup);
  }

  return async function orderPay(request, response) {
    const reply = await replyTo(request);
    if ("page" in reply) return sendShopperPage(request, response, reply.page);
    response.writeHead(303, { ...privateHeaders, Location: reply.redirectTo }).end();
  };
}

/** Every order with our payment method has a pay link, also a paid or closed order: the link's page explains its state. */
async function lookUp(context: AppContext, shop: Shop, lookup: OrderLookup): Promise<Reply> {
  const { checkout, config, log } = context;
  const storeId = shop.domain;
  try {
    const adminOrder = await findOrder(context, storeId, lookup);
    // The thank-you page is shown before the order exists, and a wrong number must not be told apart from it.
    if (!adminOrder) return "order" in lookup ? TRY_LATER : ORDER_GONE;
    const isAccepted = config.currencies.some((currency) => currency === adminOrder.presentmentCurrencyCode);
    const ref = { storeId, orderId: gidNumber(adminOrder.id) };
    const { statusPageUrl: shopUrl } = adminOrder;
    if (!isOurOrder(adminOrder, shop)) {
      log.warn("shopify.link_refused", { ...ref, reason: "other_method" });
      return { page: { name: "otherMethod", status: 409, shopUrl } };
    }
    if (!isAccepted) {
      log.error("shopify.link_refused", { ...ref, reason: "currency_not_supported" });
      return { page: { name: "shopMustAct", status: 500, shopUrl } };
    }
    return { redirectTo: checkout.payLink({ ref, attempt: "" }) };
  } catch (error) {
    log.warn("shopify.order_lookup_failed", { storeId, code: codeOf(error) });
    return TRY_LATER;
  }
}

const ORDER_GONE: Reply = { page: { name: "orderGone", status: 404 } };
const BROKEN_LINK: Reply = { page: { name: "linkBroken", status: 404 } };
const TRY_LATER: Reply = { page: { name: "tryLater", status: 503, actionUrl: "" } };
