import { createSendBy, type Transport } from "@tillkit/client";
import {
  type Clock,
  type Environment,
  type Language,
  type Log,
  limits,
  type OrderRef,
  type StoreAdapter,
  StoreError,
  silentLog,
} from "@tillkit/core";
import type { LinkSecrets } from "../protocol/signature.ts";
import { createPluginRoutes, type PluginRoutes } from "../transport/plugin-routes.ts";
import { createSignedRest } from "../transport/signed-rest.ts";
import { createWooRest, expectSuccess, type WooRest } from "../transport/woo-rest.ts";
import { isOrderId, readWooOrder, type WooOrder } from "./woo-order.ts";

/**
 * How orders are marked paid and put on hold. `plugin`: only by the plugin's routes, a conditional write under a lock. `rest`:
 * only by WooCommerce's REST API, a read followed by a write. `auto`: by the plugin's routes where they can be reached, else by
 * REST; the guarantee is then that of REST.
 */
export type WriteOrdersBy = "auto" | "plugin" | "rest";

export type WooStoreOptions = {
  readonly storeId: string;
  /** The address of WordPress, without a trailing slash. */
  readonly url: string;
  /** The name of the shop on our pages. */
  readonly name?: string | undefined;
  /** The logo, an https address, and the colour of buttons on our pages, such as `#0a7d4b`. */
  readonly branding?: { readonly logoUrl?: string | undefined; readonly color?: string | undefined } | undefined;
  /** The REST key. Without one, calls of the REST API go through the plugin, signed with the link secret. */
  readonly consumerKey?: string | undefined;
  readonly consumerSecret?: string | undefined;
  readonly linkSecret: string;
  /** The secret that the plugin may still use during a change of the link secret. */
  readonly previousLinkSecret?: string | undefined;
  readonly environment: Environment;
  /** For orders without a language; `fr` by default. */
  readonly language?: Language | undefined;
  /** `auto` by default. */
  readonly writeOrdersBy?: WriteOrdersBy | undefined;
  /** What happens to an order whose payment does not match: `hold` (the default) puts it on hold, `note` only adds a note. */
  readonly onMismatch?: "notify" | "note" | undefined;
  readonly clock: Clock;
  /** Nothing is logged unless set. */
  readonly log?: Log | undefined;
  /** Sends all requests to the shop. By default over `node:http` and `node:https`. */
  readonly transport?: Transport | undefined;
};

/** The connection to one shop. */
export type WooStore = {
  readonly storeId: string;
  readonly url: string;
  readonly name: string | undefined;
  readonly branding: StoreAdapter["branding"];
  readonly environment: Environment;
  readonly language: Language;
  readonly writeOrdersBy: WriteOrdersBy;
  readonly onMismatch: "notify" | "note";
  readonly clock: Clock;
  readonly log: Log;
  /** The secrets that the plugin may have signed with, the current one first. */
  readonly linkSecrets: LinkSecrets;
  readonly rest: WooRest;
  readonly plugin: PluginRoutes;
  /** The same shop for one adapter call that starts now: it sends nothing after the engine's time limit for a call. */
  forOneCall(): WooStore;
  /** Null for an unknown order and for an order of another shop. */
  readOrder(ref: OrderRef): Promise<WooOrder | null>;
  /** Null for an order that was deleted. */
  changeOrder(orderId: string, change: object): Promise<WooOrder | null>;
};

export function createWooStore(options: WooStoreOptions): WooStore {
  const { storeId, url, name, environment, language = "fr", writeOrdersBy = "auto", onMismatch = "notify" } = options;
  const { clock, log = silentLog, linkSecret, previousLinkSecret } = options;
  const branding = brandingOf(options);
  const linkSecrets: LinkSecrets = [linkSecret, ...(previousLinkSecret === undefined ? [] : [previousLinkSecret])];
  const look = { storeId, url, name, branding, environment, language };
  const settings = { ...look, writeOrdersBy, onMismatch, clock, log, linkSecrets };
  const plugin = createPluginRoutes(options);
  const rest = openRest(options, plugin);

  function forOneCall(): WooStore {
    const sendBy = createSendBy(clock.now() + limits.storeCallMs, clock);
    return {
      ...settings,
      forOneCall,
      ...orderCalls(rest.withSendBy(sendBy), storeId),
      plugin: plugin.withSendBy(sendBy),
    };
  }

  return { ...settings, forOneCall, ...orderCalls(rest, storeId), plugin };
}

function brandingOf({ url, branding: { logoUrl, color } = {} }: WooStoreOptions): StoreAdapter["branding"] {
  return {
    homeUrl: `${url}/`,
    ...(logoUrl === undefined ? {} : { logoUrl }),
    ...(color === undefined ? {} : { color }),
  };
}

function openRest(options: WooStoreOptions, plugin: PluginRoutes): WooRest {
  const { url, consumerKey, consumerSecret, clock, transport } = options;
  if (consumerKey === undefined || consumerSecret === undefined) return createSignedRest(plugin);
  return createWooRest({ url, consumerKey, consumerSecret, clock, transport });
}

/**
 * Amounts are rounded to the decimals of the shop's own currency otherwise: an order of 12.34 euros in a shop whose prices are in
 * francs would be read as 12.
 */
const EXACT = { dp: 6 };

function orderCalls(rest: WooRest, storeId: string): Pick<WooStore, "rest" | "readOrder" | "changeOrder"> {
  return {
    rest,
    async readOrder(ref) {
      if (ref.storeId !== storeId || !isOrderId(ref.orderId)) return null;
      const reply = await rest.get(`orders/${ref.orderId}`, EXACT);
      return isGone(reply) ? null : readWooOrder(expectSuccess(reply, "read"), ref.orderId);
    },
    async changeOrder(orderId, change) {
      const reply = await rest.put(`orders/${orderId}`, change);
      return isGone(reply) ? null : readChangedOrder(expectSuccess(reply, "write"), orderId);
    },
  };
}

/**
 * Whether the shop says that the order does not exist. Each route has its own code and its own status (404, 400 and even 500).
 * `rest_no_route` is not among them: it means that WooCommerce is inactive.
 */
export function isGone({ code }: { readonly code: string | null }): boolean {
  return code !== null && GONE_CODES.has(code);
}

const GONE_CODES: ReadonlySet<string> = new Set([
  "woocommerce_rest_shop_order_invalid_id",
  "woocommerce_rest_order_invalid_id",
  "woocommerce_rest_invalid_order_id",
]);

function readChangedOrder(body: object, orderId: string): WooOrder {
  try {
    return readWooOrder(body, orderId);
  } catch {
    throw new StoreError(
      "unknown",
      "The shop's answer is not the order that was written: the order must be read again.",
    );
  }
}
