import { codeOf } from "@tillkit/core";
import { privateHeaders, type ShopperPage, sendShopperPage } from "@tillkit/server";
import type { Request, RequestHandler } from "express";
import type { AppContext } from "../app-context.ts";
import { findOrders } from "../operations/order-queries.ts";
import type { Shop } from "../records/shops.ts";
import { readShopDomain } from "../shop-domain.ts";
import { createLookupLimit } from "./lookup-limit.ts";
import { orderNumberOf } from "./order-number.ts";
import { isOurOrder } from "./order-transactions.ts";

type Reply = { readonly redirectTo: string } | { readonly page: ShopperPage };

/**
 * `GET /shopify/order-pay?shop=…&checkout_token=…`: redirects from the thank-you page of a shop to the pay link of the order.
 * That page knows the checkout token, which cannot be guessed. Each address may look up a limited number of orders.
 */
export function orderPayRoute(context: AppContext): RequestHandler {
  const mayLookUp = createLookupLimit(context.clock);

  async function replyTo({ query, ip = "" }: Request): Promise<Reply> {
    const domain = readShopDomain(query.shop);
    const token = String(query.checkout_token ?? "");
    if (domain === null || !/^[\w-]{8,100}$/.test(token)) return BROKEN_LINK;
    const shop = await context.shops.find(domain);
    if (!shop || shop.uninstalledAt !== null) return BROKEN_LINK;
    return mayLookUp(ip) ? await lookUp(context, shop, token) : TRY_LATER;
  }

  return async function orderPay(request, response) {
    const reply = await replyTo(request);
    if ("page" in reply) return sendShopperPage(request, response, reply.page);
    response.writeHead(303, { ...privateHeaders, Location: reply.redirectTo }).end();
  };
}

/** Every order with our payment method has a pay link, also a paid or closed order: the link's page explains its state. */
async function lookUp(context: AppContext, { domain: shop, gatewayName }: Shop, token: string): Promise<Reply> {
  const { graphql, checkout, config, log } = context;
  try {
    const variables = { first: 1, after: null, query: `checkout_token:${token}` };
    const [adminOrder] = (await graphql.call(shop, findOrders, variables)).nodes;
    const isAccepted = config.currencies.some((currency) => currency === adminOrder?.presentmentCurrencyCode);
    if (!adminOrder || !isAccepted || !isOurOrder(adminOrder, gatewayName)) {
      return { page: { name: "orderClosed", status: 404, shopUrl: adminOrder?.statusPageUrl ?? null } };
    }
    return {
      redirectTo: checkout.payLink({ ref: { storeId: shop, orderId: orderNumberOf(adminOrder.id) }, attempt: "" }),
    };
  } catch (error) {
    log.warn("shopify.order_lookup_failed", { storeId: shop, code: codeOf(error) });
    return TRY_LATER;
  }
}

const BROKEN_LINK: Reply = { page: { name: "linkBroken", status: 404 } };
const TRY_LATER: Reply = { page: { name: "tryLater", status: 503, actionUrl: "" } };
