import { codeOf } from "@tillkit/core";
import { type BuyerPage, privateHeaders, sendBuyerPage } from "@tillkit/server";
import type { Request, RequestHandler } from "express";
import type { Desk } from "../app/desk.ts";
import { findOrders } from "../graphql/admin-operations.ts";
import { readShopDomain } from "../shop/shop-domain.ts";
import type { Shop } from "../shop/shops.ts";
import { createLookupWindow } from "./lookup-window.ts";
import { isOurs, orderNumber } from "./order-view.ts";

type Reply = { readonly go: string } | { readonly page: BuyerPage };

/**
 * From the thank-you page of a shop, which knows its checkout's token: `?shop=…&checkout_token=…`. The token is a handle that
 * nobody guesses, and a right to nothing: it leads to the pay link of its order, and every address may ask a few times only.
 */
export function visitOrderPay(desk: Desk): RequestHandler {
  const mayLookUp = createLookupWindow(desk.clock);

  async function replyTo({ query, ip = "" }: Request): Promise<Reply> {
    const shop = readShopDomain(query.shop);
    const token = String(query.checkout_token ?? "");
    if (shop === null || !/^[\w-]{8,100}$/.test(token)) return BROKEN;
    const known = await desk.shops.find(shop);
    if (!known || known.uninstalledAt !== null) return BROKEN;
    return mayLookUp(ip) ? await lookUp(desk, known, token) : LATER;
  }

  return async function orderPay(request, response) {
    const reply = await replyTo(request);
    if ("page" in reply) return sendBuyerPage(request, response, reply.page);
    response.writeHead(303, { ...privateHeaders, Location: reply.go }).end();
  };
}

/** Every order of ours has a pay link: that page says for itself when the order is paid, or closed. */
async function lookUp(desk: Desk, { domain: shop, gatewayName }: Shop, token: string): Promise<Reply> {
  const { graphql, checkout, config, log } = desk;
  try {
    const variables = { first: 1, after: null, query: `checkout_token:${token}` };
    const [found] = (await graphql.call(shop, findOrders, variables)).nodes;
    const isTaken = config.currencies.some((currency) => currency === found?.presentmentCurrencyCode);
    if (!found || !isTaken || !isOurs(found, gatewayName)) {
      return { page: { name: "orderClosed", status: 404, shopUrl: found?.statusPageUrl ?? null } };
    }
    return { go: checkout.payLink({ ref: { storeId: shop, orderId: orderNumber(found.id) }, attempt: "" }) };
  } catch (error) {
    log.warn("shopify.lookup_failed", { storeId: shop, code: codeOf(error) });
    return LATER;
  }
}

const BROKEN: Reply = { page: { name: "linkBroken", status: 404 } };
const LATER: Reply = { page: { name: "tryLater", status: 503, actionUrl: "" } };
