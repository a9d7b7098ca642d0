import type { Clock, Engine, Environment, Ledger, Log, Random, StoreAdapter } from "@tillkit/core";
import type { CheckoutServer } from "@tillkit/server";
import type { StoreConfig, WooCommerceConfig } from "./config/schema.ts";
import type { LinkSecrets } from "./protocol/signature.ts";
import type { WooStore } from "./store/woo-store.ts";

/** One configured shop and its connection. */
export type ConnectedStore = {
  readonly config: StoreConfig;
  readonly connection: WooStore;
  readonly adapter: StoreAdapter;
  readonly environment: Environment;
  readonly linkSecrets: LinkSecrets;
};

/** The objects that all handlers of the checkout server share. */
export type AppContext = {
  readonly config: WooCommerceConfig;
  readonly checkout: CheckoutServer;
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
  readonly stores: ReadonlyMap<string, ConnectedStore>;
  /** Reads the pairings that this or another process made since. Without `now` at most every few seconds. */
  refreshStores(options?: { readonly now?: boolean }): Promise<void>;
};
