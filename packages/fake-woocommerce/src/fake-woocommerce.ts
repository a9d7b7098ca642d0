import { type Clock, systemClock } from "@tillkit/core";
import { createAuthentication, type KeyRights } from "./authentication.ts";
import { createFaults, type Faults } from "./faults.ts";
import { createGatewayPlugin, type GatewayPlugin } from "./gateway-plugin.ts";
import { errorResponse, NO_ROUTE, type ShopRequest, type ShopResponse } from "./messages.ts";
import { createPairing } from "./pairing.ts";
import type { PluginSettings } from "./plugin-context.ts";
import { answerOrders } from "./rest-orders.ts";
import { createShop, type Shop } from "./shop.ts";
import { parseRequest, startShopServer } from "./shop-server.ts";
import { createShopWebhooks, type ShopWebhooks } from "./webhooks.ts";

export type FakeWooCommerceOptions = {
  /** The number of decimals of the shop, for every currency; 2 by default. */
  readonly decimals?: number;
  /** `XOF` by default. */
  readonly currency?: string;
  /** The permissions of the REST key; `orders` by default. */
  readonly rights?: KeyRights;
  /** The settings of our gateway plugin; not installed by default. */
  readonly plugin?: PluginSettings;
  readonly clock?: Clock;
  /** The port on the loopback interface; 0, the default, is any free port. */
  readonly port?: number;
};

/** A WooCommerce shop on this machine: the REST API with its quirks, and the routes of our plugin. */
export type FakeWooCommerce = {
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly shop: Shop;
  readonly faults: Faults;
  /** WooCommerce's own webhooks, which arrive late or never. */
  readonly webhooks: ShopWebhooks;
  /** Every request that the shop received, oldest first: `PUT wc/v3/orders/1042`. */
  readonly requests: readonly string[];
  /** Installs, configures or removes (null) the gateway plugin. */
  setPlugin(settings: PluginSettings | null): void;
  /** What the plugin has stored; null where it is not installed, or not connected yet. */
  settings(): PluginSettings | null;
  /** The owner clicks "Connect with the checkout server". Returns the one-time code that the browser takes to that server. */
  startPairing(checkoutServerUrl: string): string;
  setRights(rights: KeyRights): void;
  /** The error of the shop's clock, in milliseconds. */
  setClockOffset(ms: number): void;
  /** The pay link that "Place order" returns. @throws Error without the plugin */
  payLink(orderId: number | string): string;
  /** Answers a request as the server does, without a connection and without faults. */
  answer(request: Parameters<typeof parseRequest>[0]): Promise<ShopResponse>;
  close(): Promise<void>;
};

export async function createFakeWooCommerce(options: FakeWooCommerceOptions = {}): Promise<FakeWooCommerce> {
  const { decimals = 2, currency = "XOF", clock = systemClock } = options;
  const shop = createShop(clock, { decimals, currency });
  const faults = createFaults();
  const requests: string[] = [];
  const key = { consumerKey: `ck_${"fake0".repeat(8)}`, consumerSecret: `cs_${"fake1".repeat(8)}` };
  let rights: KeyRights = options.rights ?? "orders";
  let clockOffsetMs = 0;
  const shopClock: Clock = { now: () => clock.now() + clockOffsetMs, sleep: (ms, signal) => clock.sleep(ms, signal) };
  let plugin: GatewayPlugin | null = null;
  let savedSettings: PluginSettings | null = null;
  const pairing = createPairing({
    settings: () => savedSettings,
    settingsUrl: () => `${server.origin}/wp-admin/admin.php?page=wc-settings&tab=checkout&section=tillkit`,
    save: setPlugin,
  });
  const processingTime = () => clock.sleep(faults.latencyMs());

  async function answer(request: ShopRequest): Promise<ShopResponse> {
    requests.push(`${request.method} ${request.path}`);
    if (request.path.startsWith("page:")) return { status: 200, body: "<!doctype html><title>Shop</title>" };
    if (request.path === "") return { status: 200, body: { name: "Shop", namespaces: ["wc/v3", "wp/v2"] } };
    if (request.path === "tillkit/v1/pair") return pairing.answer(request);
    if (request.path.startsWith("tillkit/")) return plugin ? await plugin.answer(request) : NO_ROUTE;
    if (!request.path.startsWith("wc/v3/")) return NO_ROUTE;
    return authenticate(request) ?? (await answerAuthenticated(request));
  }

  async function answerAuthenticated(request: ShopRequest): Promise<ShopResponse> {
    if (rights === "read-only" && request.method !== "GET") return READ_ONLY;
    const isOrdersRoute = /^wc\/v3\/orders(\/|$)/.test(request.path);
    if (isOrdersRoute && request.method === "DELETE") return rights === "administrator" ? NO_ROUTE : FORBIDDEN;
    if (isOrdersRoute) return await callOrders(request);
    return rights === "administrator" ? { status: 200, body: [] } : FORBIDDEN;
  }

  function callOrders(request: ShopRequest): Promise<ShopResponse> {
    const refuseStaleWrite = plugin?.refuseStaleWrite ?? (() => null);
    return answerOrders(request, { shop, origin: server.origin, processingTime, refuseStaleWrite });
  }

  const server = await startShopServer(answer, faults, clock, options.port ?? 0);
  const authenticate = createAuthentication(server.origin, key, () => systemClock.now() + clockOffsetMs);

  function setPlugin(settings: PluginSettings | null): void {
    savedSettings = settings;
    plugin = settings && createGatewayPlugin({ shop, settings, clock: shopClock, callOrders, processingTime });
    shop.onOwnerChange(plugin?.recordOwnerDecision ?? null);
  }
  setPlugin(options.plugin ?? null);

  return {
    url: server.origin,
    ...key,
    shop,
    faults,
    webhooks: createShopWebhooks(shop, server.origin),
    requests,
    setPlugin,
    setRights: (keyRights) => {
      rights = keyRights;
    },
    setClockOffset: (ms) => {
      clockOffsetMs = ms;
    },
    settings: () => savedSettings,
    startPairing: pairing.start,
    answer: (request) => answer(parseRequest(request)),
    payLink: (orderId) => {
      if (!plugin) throw new Error("The gateway plugin is not installed in this shop.");
      return plugin.payLink(orderId);
    },
    close: server.close,
  };
}

const FORBIDDEN = errorResponse(403, "woocommerce_rest_cannot_view", "Sorry, you cannot list resources.");
const READ_ONLY = errorResponse(
  401,
  "woocommerce_rest_authentication_error",
  "The API key provided does not have write permissions.",
);
