import { type Clock, money } from "@tillkit/core";
import { addressOf, type ConnectedApp } from "./connected-app.ts";
import type { Answer, Asked, NoAnswer } from "./http-door.ts";
import { answerTokenRequest, callbackUrl, type ShopifyApp } from "./oauth.ts";
import { checkoutPage, frontPage, installPage, orderPage, plainPage } from "./pages.ts";
import { createShopApi, type ShopApiOptions, spoilt } from "./shop-api.ts";
import type { ShopifyFaults } from "./shopify-faults.ts";
import type { OpenedShop } from "./simulated-shop.ts";
import type { SimulatedShop } from "./simulated-shop-type.ts";

/** Everything under `https://{shop}`: OAuth, the two GraphQL APIs, and the pages of merchant and shopper. */
export type ShopDoor = {
  /** @param path below the shop, by its parts */
  answer(asked: Asked, path: readonly string[]): Promise<Answer | NoAnswer>;
  /** The merchant presses Install: where the browser goes, null when Shopify refuses the request. */
  approve(query: URLSearchParams): string | null;
};

const DEMO_TOTAL = 12_500;

export function createShopDoor(
  { shop, payments, admin, managedScope, installed }: OpenedShop,
  around: {
    readonly clock: Clock;
    readonly app: ShopifyApp;
    readonly faults: ShopifyFaults;
    readonly schemaFolder: string | undefined;
    readonly limits: ShopApiOptions["limits"];
    connection(): { readonly app: ConnectedApp };
  },
): ShopDoor {
  const { clock, app, faults } = around;
  const { domain, tokens } = shop;
  const api = createShopApi({ ...around, domain, tokens, payments, admin });

  async function answer(asked: Asked, path: readonly string[]): Promise<Answer | NoAnswer> {
    const [first, second, version = "", last] = path;
    if (second === "api" && last === "graphql.json") {
      if (asked.method !== "POST") return METHOD;
      return await api.answer(asked, first === "payments_apps" ? "payments-apps" : "admin", version);
    }
    if (first === "admin" && second === "oauth") return await oauth(asked, version);
    if (asked.method === "POST") return await press(first);
    return page(path);
  }

  async function oauth(asked: Asked, what: string): Promise<Answer | NoAnswer> {
    if (what === "access_token") return asked.method === "POST" ? await token(asked) : METHOD;
    const url = approve(asked.query);
    if (url === null) return REFUSED;
    if (what === "approve") return redirect(302, url);
    return installPage(domain, `${shop.origin}/admin/oauth/approve?${asked.query}`, asked.query.get("scope") ?? "");
  }

  async function token(asked: Asked): Promise<Answer | NoAnswer> {
    const fault = faults.take({ shop: domain, names: ["access_token"] });
    if (fault && "delayMs" in fault) await clock.sleep(fault.delayMs);
    const broken = fault && spoilt(fault);
    if (broken && fault.when !== "after") return broken;
    const given = answerTokenRequest(asked.bytes, { app, domain, tokens, clock, managedScope }, installed);
    return broken ?? given;
  }

  function approve(query: URLSearchParams): string | null {
    const redirectUri = query.get("redirect_uri") ?? "";
    // Only addresses that the app declared: never an open redirect.
    const mayInstall =
      query.get("client_id") === app.clientId && redirectUri.startsWith(`${around.connection().app.url}/`);
    if (!mayInstall) return null;
    const code = tokens.issueCode(query.get("scope") ?? "");
    const callback = { code, shop: domain, state: query.get("state") ?? "", now: clock.now() };
    return callbackUrl(redirectUri, callback, app.clientSecret);
  }

  function page([first = "", second = "", third]: readonly string[]): Answer {
    const payable = around.connection().app.orderPayUrl !== undefined;
    if (first === "") return frontPage(domain, demoTotal(shop), { offsite: shop.gateway.ready, order: payable });
    // The owner opens the app in the shop's admin.
    if (first === "admin") return redirect(302, shop.installUrl());
    if (first === "checkouts") return checkoutOf(second);
    if (first === "orders") return orderOf(second);
    if (first === "services" && third === "gateways") return plainPage(domain, "Activate the payments app");
    return NOTHING;
  }

  function checkoutOf(sessionId: string): Answer {
    const session = shop.sessions.find(sessionId);
    const checkout = session && shop.sessions.checkouts.get(session.group);
    return session && checkout ? checkoutPage(domain, checkout, session) : NOTHING;
  }

  function orderOf(token: string): Answer {
    const order = shop.orders.all.find(({ checkoutToken }) => checkoutToken === token);
    return order ? orderPage(domain, order, payUrlOf(token)) : NOTHING;
  }

  async function press(button: string | undefined): Promise<Answer> {
    if (button === "orders") {
      const { checkoutToken } = shop.placeOrder({ total: demoTotal(shop), test: true });
      return redirect(303, `${shop.origin}/orders/${checkoutToken}`);
    }
    if (button !== "checkouts") return NOTHING;
    const { session, answer: given } = await shop.startPayment({ total: demoTotal(shop) });
    return redirect(303, given.redirectUrl ?? `${shop.origin}/checkouts/${session.id}`);
  }

  function payUrlOf(checkoutToken: string): string | null {
    const { orderPayUrl, ...rest } = around.connection().app;
    if (orderPayUrl === undefined) return null;
    return addressOf(rest, orderPayUrl).replace("{shop}", domain).replace("{token}", checkoutToken);
  }

  return { answer, approve };
}

const METHOD: Answer = { status: 405, body: { errors: "Method Not Allowed" } };
const REFUSED = plainPage("Shopify", "Oauth error invalid_request: The redirect_uri is not whitelisted", 400);
const NOTHING = plainPage("Shopify", "There is nothing here.", 404);

function redirect(status: 302 | 303, location: string): Answer {
  return { status, body: "", headers: { Location: location } };
}

function demoTotal({ currency }: SimulatedShop) {
  return money(DEMO_TOTAL, currency);
}
