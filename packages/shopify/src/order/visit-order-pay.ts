import { codeOf } from "@tillkit/core";
import { type BuyerPage, privateHeaders, sendBuyerPage } from "@tillkit/server";
import type { Request, RequestHandler } from "express";
import type { Desk } from "../app/desk.ts";
import { findOrders } from "../graphql/admin-operations.ts";
import { readShopDomain } from "../shop/shop-domain.ts";
import { payUrlOf } from "./announce-order.ts";
import { createLookupWindow } from "./lookup-window.ts";

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
    return mayLookUp(ip) ? await lookUp(desk, shop, token) : LATER;
  }

  return async function orderPay(request, response) {
    const reply = await replyTo(request);
    if ("page" in reply) return sendBuyerPage(request, response, reply.page);
    response.writeHead(303, { ...privateHeaders, Location: reply.go }).end();
  };
}

async function lookUp(desk: Desk, shop: string, token: string): Promise<Reply> {
  try {
    const variables = { first: 1, after: null, query: `checkout_token:${token}` };
    const [found] = (await desk.graphql.call(shop, findOrders, variables)).nodes;
    const url = found ? await payUrlOf(desk, shop, found) : null;
    if (url !== null) return { go: url };
    return { page: { name: "orderClosed", status: 404, shopUrl: found?.statusPageUrl ?? null } };
  } catch (error) {
    desk.log.warn("shopify.lookup_failed", { storeId: shop, code: codeOf(error) });
    return LATER;
  }
}

const BROKEN: Reply = { page: { name: "linkBroken", status: 404 } };
const LATER: Reply = { page: { name: "tryLater", status: 503, actionUrl: "" } };
