import type { Clock } from "@tillkit/core";
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
  /** Waits for the time that a request takes between reading and writing. */
  processingTime(): Promise<void>;
};
