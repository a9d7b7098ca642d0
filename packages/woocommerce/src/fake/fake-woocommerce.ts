import { type Clock, systemClock } from "@tillkit/core";
import { type Answer, type Asked, NO_ROUTE, refusal } from "./answer.ts";
import { createAuthentication, type KeyRights } from "./authentication.ts";
import { createFaults, type Faults } from "./faults.ts";
import { createGatewayPlugin, type GatewayPlugin, type PluginSettings } from "./gateway-plugin.ts";
import { openHttpDoor } from "./http-door.ts";
import { answerOrders } from "./rest-orders.ts";
import { createShop, type Shop } from "./shop.ts";
import { createShopWebhooks, type ShopWebhooks } from "./webhooks.ts";

export type FakeWooCommerceOptions = {
  /** Of the shop, whatever the currency; 2 unless set. */
  readonly decimals?: number;
  /** XOF unless set. */
  readonly currency?: string;
  /** What the owner of the REST key may do; `orders` unless set. */
  readonly rights?: KeyRights;
  /** Our gateway plugin, where it is installed. */
  readonly plugin?: PluginSettings;
  readonly clock?: Clock;
  /** 0, the default: a free port. Always on the loopback interface. */
  readonly port?: number;
};

/** A WooCommerce shop on this machine: REST API with its quirks, and our plugin's routes. */
export type FakeWooCommerce = {
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly shop: Shop;
  readonly faults: Faults;
  /** WooCommerce's own, which come late or never. */
  readonly webhooks: ShopWebhooks;
  /** Every request that reached the shop, oldest first: `PUT wc/v3/orders/1042`. */
  readonly requests: readonly string[];
  /** Installs, sets up or removes (null) the gateway plugin. */
  setPlugin(settings: PluginSettings | null): void;
  setRights(rights: KeyRights): void;
  /** How far the shop's own clock goes wrong. Milliseconds. */
  setClockOffset(ms: number): void;
  /** What a press on "Place order" answers. @throws Error without the plugin */
  payLink(orderId: number | string): string;
  close(): Promise<void>;
};

export async function createFakeWooCommerce(options: FakeWooCommerceOptions = {}): Promise<FakeWooCommerce> {
  const { decimals = 2, currency = "XOF", clock = systemClock } = options;
  const shop = createShop(clock, { decimals, currency });
  const faults = createFaults();
  const requests: string[] = [];
  const key = { consumerKey: `ck_${"fake0".repeat(8)}`, consumerSecret: `cs_${"fake1".repeat(8)}` };
  let rights: KeyRights = options.rights ?? "orders";
  let offsetMs = 0;
  const shopClock: Clock = { now: () => clock.now() + offsetMs, sleep: (ms, signal) => clock.sleep(ms, signal) };
  let plugin: GatewayPlugin | null = null;
  const atWork = () => clock.sleep(faults.latencyMs());

  async function answer(asked: Asked): Promise<Answer> {
    requests.push(`${asked.method} ${asked.path}`);
    if (asked.path.startsWith("page:")) return { status: 200, body: "<!doctype html><title>Shop</title>" };
    if (asked.path === "") return { status: 200, body: { name: "Shop", namespaces: ["wc/v3", "wp/v2"] } };
    if (asked.path.startsWith("tillkit/")) return plugin ? await plugin.answer(asked) : NO_ROUTE;
    if (!asked.path.startsWith("wc/v3/")) return NO_ROUTE;
    return authenticate(asked, rights) ?? (await answerKeyHolder(asked));
  }

  function authenticate(asked: Asked, held: KeyRights): Answer | null {
    return authentication(asked) ?? (held === "read-only" && asked.method !== "GET" ? READ_ONLY : null);
  }

  async function answerKeyHolder(asked: Asked): Promise<Answer> {
    const isOrders = /^wc\/v3\/orders(\/|$)/.test(asked.path);
    if (isOrders && asked.method === "DELETE") return rights === "administrator" ? NO_ROUTE : FORBIDDEN;
    if (isOrders)
      return await answerOrders(asked, { shop, origin: door.origin, atWork, refuse: plugin?.refuse ?? (() => null) });
    return rights === "administrator" ? { status: 200, body: [] } : FORBIDDEN;
  }

  const door = await openHttpDoor(answer, faults, clock, options.port ?? 0);
  const authentication = createAuthentication(door.origin, key, () => systemClock.now() + offsetMs);

  function setPlugin(settings: PluginSettings | null): void {
    plugin = settings && createGatewayPlugin({ shop, settings, clock: shopClock, atWork });
    shop.watchOwner(plugin?.remember ?? null);
  }
  setPlugin(options.plugin ?? null);

  return {
    url: door.origin,
    ...key,
    shop,
    faults,
    webhooks: createShopWebhooks(shop, door.origin),
    requests,
    setPlugin,
    setRights: (held) => {
      rights = held;
    },
    setClockOffset: (ms) => {
      offsetMs = ms;
    },
    payLink: (orderId) => {
      if (!plugin) throw new Error("The gateway plugin is not installed in this shop.");
      return plugin.payLink(orderId);
    },
    close: door.close,
  };
}

const FORBIDDEN = refusal(403, "woocommerce_rest_cannot_view", "Sorry, you cannot list resources.");
const READ_ONLY = refusal(
  401,
  "woocommerce_rest_authentication_error",
  "The API key provided does not have write permissions.",
);
