import type { Clock, Engine, Environment, Ledger, Log, Random, StoreAdapter } from "@tillkit/core";
import type { CheckoutServer } from "@tillkit/server";
import type { WooShop } from "../adapter/woo-shop.ts";
import type { CompanionConfig, StoreConfig } from "../config/config.ts";
import type { LinkSecrets } from "../protocol/signature.ts";

export type CompanionStore = {
  readonly config: StoreConfig;
  readonly shop: WooShop;
  readonly adapter: StoreAdapter;
  readonly environment: Environment;
  readonly secrets: LinkSecrets;
};

/** What the routes of the companion share. */
export type Desk = {
  readonly config: CompanionConfig;
  readonly checkout: CheckoutServer;
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
  readonly stores: ReadonlyMap<string, CompanionStore>;
};
