import { type Clock, money } from "@tillkit/core";
import type { NoResponse, SimulatorRequest, SimulatorResponse } from "../http-server.ts";
import { callbackUrl, respondToTokenRequest, type ShopifyApp } from "../oauth/token-endpoint.ts";
import { type ConnectedApp, urlOf } from "../senders/connected-app.ts";
import type { CreatedShop } from "./create-simulated-shop.ts";
import { checkoutPage, frontPage, installPage, orderPage, plainPage } from "./pages.ts";
import { createShopApi, faultResponse, type ShopApiOptions } from "./shop-api.ts";
import type { ShopifyFaults } from "./shopify-faults.ts";
import type { SimulatedShop } from "./simulated-shop.ts";

/** The routes of `https://{shop}`: OAuth, the two GraphQL APIs, and the pages of the merchant and the shopper. */
export type ShopServer = {
  /** @param path the segments of the path below the shop */
  respond(request: SimulatorRequest, path: readonly string[]): Promise<SimulatorResponse | NoResponse>;
  /** The URL to which Shopify redirects after the merchant pressed Install; null if Shopify refuses the request. */
  approve(query: URLSearchParams): string | null;
};

/** The price of the basket on the shop's front page, in minor units. */
const DEMO_TOTAL = 12_500;

export function createShopServer(
  { shop, payments, admin, managedScope, onInstalled }: CreatedShop,
  environment: {
    readonly clock: Clock;
    readonly app: ShopifyApp;
    readonly faults: ShopifyFaults;
    readonly schemaFolder: string | undefined;
    readonly limits: ShopApiOptions["limits"];
    connection(): { readonly app: ConnectedApp };
  },
): ShopServer {
  const { clock, app, faults } = environment;
  const { domain, tokens } = shop;
  const api = createShopApi({ ...environment, domain, tokens, payments, admin });

  async function respond(request: SimulatorRequest, path: readonly string[]): Promise<SimulatorResponse | NoResponse> {
    // `admin/api/{version}/graphql.json`, `payments_apps/api/{version}/graphql.json` or `admin/oauth/{action}`
    const [first, second, versionOrAction = "", last] = path;
    if (second === "api" && last === "graphql.json") {
      if (request.method !== "POST") return METHOD_NOT_ALLOWED;
      return await api.respond(request, first === "payments_apps" ? "payments-apps" : "admin", versionOrAction);
    }
    if (first === "admin" && second === "oauth") return await oauth(request, versionOrAction);
    if (request.method === "POST") return await submitForm(first);
    return page(path);
  }

  async function oauth(request: SimulatorRequest, action: string): Promise<SimulatorResponse | NoResponse> {
    if (action === "access_token") return request.method === "POST" ? await respondToken(request) : METHOD_NOT_ALLOWED;
    const url = approve(request.query);
    if (url === null) return REFUSED;
    if (action === "approve") return redirect(302, url);
    return installPage(domain, `${shop.origin}/admin/oauth/approve?${request.query}`, request.query.get("scope") ?? "");
  }

  async function respondToken(request: SimulatorRequest): Promise<SimulatorResponse | NoResponse> {
    const fault = faults.take({ shop: domain, names: ["access_token"] });
    if (fault && "delayMs" in fault) await clock.sleep(fault.delayMs);
    const failure = fault && faultResponse(fault);
    if (failure && fault.when !== "after") return failure;
    const response = respondToTokenRequest(request.bytes, { app, domain, tokens, clock, managedScope }, onInstalled);
    return failure ?? response;
  }

  function approve(query: URLSearchParams): string | null {
    const redirectUri = query.get("redirect_uri") ?? "";
    // Shopify redirects only to URLs of the connected app.
    const mayInstall =
      query.get("client_id") === app.clientId && redirectUri.startsWith(`${environment.connection().app.url}/`);
    if (!mayInstall) return null;
    const code = tokens.issueCode(query.get("scope") ?? "");
    const callback = { code, shop: domain, state: query.get("state") ?? "", now: clock.now() };
    return callbackUrl(redirectUri, callback, app.clientSecret);
  }

  function page([first = "", second = "", third]: readonly string[]): SimulatorResponse {
    const canPayOrders = environment.connection().app.orderPayUrl !== undefined;
    if (first === "")
      return frontPage(admin.name, demoTotal(shop), { offsite: shop.gateway.ready, order: canPayOrders });
    // The merchant opens the app in the shop's admin.
    if (first === "admin") return redirect(302, shop.installUrl());
    if (first === "checkouts") return checkoutPageOf(second);
    if (first === "orders") return orderPageOf(second);
    if (first === "services" && third === "gateways") return plainPage(domain, "Activate the payments app");
    return NOT_FOUND;
  }

  function checkoutPageOf(sessionId: string): SimulatorResponse {
    const session = shop.sessions.find(sessionId);
    const checkout = session && shop.sessions.checkouts.get(session.group);
    return session && checkout ? checkoutPage(admin.name, checkout, session) : NOT_FOUND;
  }

  function orderPageOf(token: string): SimulatorResponse {
    const order = shop.orders.all.find(({ checkoutToken }) => checkoutToken === token);
    return order ? orderPage(admin.name, order, payUrlOf(token)) : NOT_FOUND;
  }

  async function submitForm(button: string | undefined): Promise<SimulatorResponse> {
    if (button === "orders") {
      const { checkoutToken } = shop.placeOrder({ total: demoTotal(shop), test: true });
      return redirect(303, `${shop.origin}/orders/${checkoutToken}`);
    }
    if (button !== "checkouts") return NOT_FOUND;
    const { session, answer: response } = await shop.startPayment({ total: demoTotal(shop) });
    return redirect(303, response.redirectUrl ?? `${shop.origin}/checkouts/${session.id}`);
  }

  function payUrlOf(checkoutToken: string): string | null {
    const { orderPayUrl, ...rest } = environment.connection().app;
    if (orderPayUrl === undefined) return null;
    return urlOf(rest, orderPayUrl).replace("{shop}", domain).replace("{token}", checkoutToken);
  }

  return { respond, approve };
}

const METHOD_NOT_ALLOWED: SimulatorResponse = { status: 405, body: { errors: "Method Not Allowed" } };
const REFUSED = plainPage("Shopify", "Oauth error invalid_request: The redirect_uri is not whitelisted", 400);
const NOT_FOUND = plainPage("Shopify", "There is nothing here.", 404);

function redirect(status: 302 | 303, location: string): SimulatorResponse {
  return { status, body: "", headers: { Location: location } };
}

function demoTotal({ currency }: SimulatedShop) {
  return money(DEMO_TOTAL, currency);
}
