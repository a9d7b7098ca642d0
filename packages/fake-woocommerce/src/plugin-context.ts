import type { Clock } from "@tillkit/core";
import type { ShopRequest, ShopResponse } from "./messages.ts";
import type { Shop } from "./shop.ts";

export type PluginSettings = {
  readonly checkoutServerUrl: string;
  readonly storeId: string;
  readonly linkSecret: string;
  readonly previousLinkSecret?: string;
};

export type PluginContext = {
  readonly shop: Shop;
  readonly settings: PluginSettings;
  /** The shop's clock, which may be wrong. */
  readonly clock: Clock;
  /** WooCommerce's REST API for orders, from inside the shop: without a key. */
  callOrders(request: ShopRequest): Promise<ShopResponse>;
  /** Waits for the time that a request takes between reading and writing. */
  processingTime(): Promise<void>;
};
