import { createSendBy } from "@tillkit/client";
import { limits, type OrderRef, StoreError } from "@tillkit/core";
import {
  type BridgedStore,
  type BridgedStoreOptions,
  createBridgedStore,
  isOrderId,
  type PluginRoutes,
} from "@tillkit/php-bridge";
import { WOOCOMMERCE } from "../protocol/platform.ts";
import { createSignedRest } from "../transport/signed-rest.ts";
import { createWooRest, expectSuccess, type WooRest } from "../transport/woo-rest.ts";
import { readWooOrder, type WooOrder } from "./woo-order.ts";

/**
 * How orders are marked paid and put on hold. `plugin`: only by the plugin's routes, a conditional write under a lock. `rest`:
 * only by WooCommerce's REST API, a read followed by a write. `auto`: by the plugin's routes where they can be reached, else by
 * REST; the guarantee is then that of REST.
 */
export type WriteOrdersBy = "auto" | "plugin" | "rest";

export type WooStoreOptions = BridgedStoreOptions & {
  /** The REST key. Without one, calls of the REST API go through the plugin, signed with the link secret. */
  readonly consumerKey?: string | undefined;
  readonly consumerSecret?: string | undefined;
  /** `auto` by default. */
  readonly writeOrdersBy?: WriteOrdersBy | undefined;
};

/** The connection to one shop. */
export type WooStore = BridgedStore & {
  readonly writeOrdersBy: WriteOrdersBy;
  readonly rest: WooRest;
  /** The same shop for one adapter call that starts now: it sends nothing after the engine's time limit for a call. */
  forOneCall(): WooStore;
  /** Null for an unknown order and for an order of another shop. */
  readOrder(ref: OrderRef): Promise<WooOrder | null>;
  /** Null for an order that was deleted. */
  changeOrder(orderId: string, change: object): Promise<WooOrder | null>;
};

export function createWooStore(options: WooStoreOptions): WooStore {
  const { writeOrdersBy = "auto" } = options;
  const bridged = createBridgedStore(WOOCOMMERCE, options);
  const { storeId, plugin, clock } = bridged;
  const settings = { ...bridged, writeOrdersBy };
  const rest = openRest(options, plugin);

  function forOneCall(): WooStore {
    const sendBy = createSendBy(clock.now() + limits.storeCallMs, clock);
    const calls = orderCalls(rest.withSendBy(sendBy), storeId);
    return { ...settings, forOneCall, ...calls, plugin: plugin.withSendBy(sendBy) };
  }

  return { ...settings, forOneCall, ...orderCalls(rest, storeId) };
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
