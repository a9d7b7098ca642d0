import { type Clock, type Environment, type Language, limits, type OrderRef, StoreError } from "@tillkit/core";
import { createPluginRoutes, type PluginRoutes } from "../transport/plugin-routes.ts";
import { createWooRest, expectSuccess, type WooRest } from "../transport/woo-rest.ts";
import { isOrderId, readWooOrder, type WooOrder } from "./woo-order.ts";

/**
 * How orders are marked paid. `plugin`: only by the plugin's locked route (a conditional write). `rest`: only by
 * WooCommerce's own REST API (read, then write). `auto`: by the plugin's route where it answers, else by REST; such a shop
 * promises no more than the weaker of the two.
 */
export type SettleBy = "auto" | "plugin" | "rest";

export type WooShopOptions = {
  readonly storeId: string;
  /** Where WordPress lives, without a slash at the end. */
  readonly url: string;
  /** As shoppers know it; shown on our pages. */
  readonly name?: string | undefined;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly linkSecret: string;
  /** While the plugin may not have heard of the new one. */
  readonly previousLinkSecret?: string | undefined;
  readonly environment: Environment;
  /** For orders that do not say; French unless set. */
  readonly language?: Language | undefined;
  /** `auto` unless set. */
  readonly settleBy?: SettleBy | undefined;
  /** What happens to an order whose payment does not fit: `hold` (the default) puts it on hold, `note` only adds a note. */
  readonly onMismatch?: "hold" | "note" | undefined;
  readonly clock: Clock;
};

/** One shop, as everything of ours speaks to it. */
export type WooShop = {
  readonly storeId: string;
  readonly url: string;
  readonly name: string | undefined;
  readonly environment: Environment;
  readonly language: Language;
  readonly settleBy: SettleBy;
  readonly onMismatch: "hold" | "note";
  readonly clock: Clock;
  readonly rest: WooRest;
  readonly plugin: PluginRoutes;
  /** The same shop for one call of the engine, from now on: nothing is sent to it later than the engine counts with. */
  within(): WooShop;
  /** Null: no such order here, or another shop's. */
  readOrder(ref: OrderRef): Promise<WooOrder | null>;
  /** Null: it went away meanwhile. */
  changeOrder(orderId: string, change: object): Promise<WooOrder | null>;
};

export function createWooShop(options: WooShopOptions): WooShop {
  const { storeId, url, name, environment, language = "fr", settleBy = "auto", onMismatch = "hold" } = options;
  const { clock } = options;
  const settings = { storeId, url, name, environment, language, settleBy, onMismatch, clock };
  const [rest, plugin] = [createWooRest(options), createPluginRoutes(options)];

  function within(): WooShop {
    const until = clock.now() + limits.storeCallMs;
    return { ...settings, within, ...callsOf(rest.until(until), storeId), plugin: plugin.until(until) };
  }

  return { ...settings, within, ...callsOf(rest, storeId), plugin };
}

function callsOf(rest: WooRest, storeId: string): Pick<WooShop, "rest" | "readOrder" | "changeOrder"> {
  return {
    rest,
    async readOrder(ref) {
      if (ref.storeId !== storeId || !isOrderId(ref.orderId)) return null;
      const reply = await rest.get(`orders/${ref.orderId}`);
      return isGone(reply) ? null : readWooOrder(expectSuccess(reply, "read"), ref.orderId);
    },
    async changeOrder(orderId, change) {
      const reply = await rest.put(`orders/${orderId}`, change);
      return isGone(reply) ? null : readChanged(expectSuccess(reply, "write"), orderId);
    },
  };
}

/**
 * Only the shop's own words for it, which each route chooses for itself, and the status with it (404, 400 and even 500): a
 * missing route means that WooCommerce is switched off, not that the order is gone.
 */
export function isGone({ code }: { readonly code: string | null }): boolean {
  return code !== null && GONE.has(code);
}

const GONE: ReadonlySet<string> = new Set([
  "woocommerce_rest_shop_order_invalid_id",
  "woocommerce_rest_order_invalid_id",
  "woocommerce_rest_invalid_order_id",
]);

function readChanged(body: object, orderId: string): WooOrder {
  try {
    return readWooOrder(body, orderId);
  } catch {
    throw new StoreError("unknown", "The shop's answer is not the order that was written: look at it again.");
  }
}
