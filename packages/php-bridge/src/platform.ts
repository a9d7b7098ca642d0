import type { Language } from "@tillkit/core";
import type { PluginPlace } from "./transport/plugin-routes.ts";

/** What the shops of one platform have in common. */
export type BridgedPlatform = {
  /** Begins the names of log lines, and of records in the ledger: `woo`. */
  readonly prefix: string;
  readonly place: PluginPlace;
  words(language: Language): PlatformWords;
};

/** What a platform calls its own things, in one language, as they stand in our sentences. */
export type PlatformWords = {
  /** `WooCommerce` */
  readonly name: string;
  /** What extends a shop of the platform, with its article: `a plugin`. */
  readonly aPlugin: string;
  /** The status, or the statuses, by which an owner sets an order to paid: `Processing or Completed`. */
  readonly paidStatus: string;
  /** The status of an order that can be paid: `Pending`. */
  readonly unpaidStatus: string;
  /** Where the owner works: `WordPress`. */
  readonly backOffice: string;
  /** Where the settings of our plugin and those of the currency are: `WooCommerce, Settings, General`. */
  readonly settings: string;
  readonly currencySettings: string;
  /** What makes the plugin answer, as an imperative: `activate it`. */
  readonly activate: string;
};
