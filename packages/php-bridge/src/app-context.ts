import type { Clock, Engine, Environment, Ledger, Log, Random, StoreAdapter } from "@tillkit/core";
import type { CheckoutServer } from "@tillkit/server";
import type { BridgedConfig, StoreConfig } from "./config/schema.ts";
import type { SelfServiceShops } from "./self-service/self-service-shops.ts";
import type { ServedPlatform } from "./served-platform.ts";
import type { LinkSecrets } from "./signature.ts";
import type { BridgedConnection } from "./store/bridged-store.ts";

/** One shop and its connection. */
export type ConnectedStore = {
  readonly config: StoreConfig;
  readonly connection: BridgedConnection;
  readonly adapter: StoreAdapter;
  readonly environment: Environment;
  readonly linkSecrets: LinkSecrets;
  /** False while an operator has not approved the shop, has suspended it, or it is leaving. Payments in progress are finished. */
  readonly takesPayments: boolean;
};

/** The shops of this server: those that the configuration lists, or those that their owners connected. */
export type Shops = {
  find(storeId: string): Promise<ConnectedStore | undefined>;
  ids(): Promise<readonly string[]>;
};

/** The objects that all handlers of the checkout server share. */
export type AppContext = {
  readonly platform: ServedPlatform;
  readonly config: BridgedConfig;
  readonly checkout: CheckoutServer;
  readonly engine: Engine;
  readonly ledger: Ledger;
  /** Its lines begin with the prefix of the platform. */
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
  readonly shops: Shops;
  /** Null where the configuration lists the shops. */
  readonly selfService: SelfServiceShops | null;
  /** Reads the pairings that this or another process made since. Without `now` at most every few seconds. */
  refreshStores(options?: { readonly now?: boolean }): Promise<void>;
};
