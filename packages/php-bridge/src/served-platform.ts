import type { Transport } from "@tillkit/client";
import type { Clock, Log, OrderRef, StoreAdapter } from "@tillkit/core";
import type { Router } from "express";
import type { AppContext } from "./app-context.ts";
import type { ConfiguredStore, StoreConfig } from "./config/schema.ts";
import type { ReadOrderMoney } from "./decisions/order-money.ts";
import type { KeyOfOrder } from "./orders/find-by-plugin.ts";
import type { BridgedPlatform } from "./platform.ts";
import type { BridgedConnection } from "./store/bridged-store.ts";

/** What the checkout server gives to the connection of a shop. */
export type ConnectHost = {
  readonly clock: Clock;
  readonly log: Log;
  readonly readMoney: ReadOrderMoney;
  readonly keyOf: KeyOfOrder;
  /** Whether a payment of the order may still change, so that money may still arrive. */
  readonly hasOpenPayments: (ref: OrderRef) => Promise<boolean>;
  /** Sends the requests to the shop; Node's own connections unless set. */
  readonly transport?: Transport;
};

/** A platform of PHP shops whose payments this checkout server takes. */
export type ServedPlatform = BridgedPlatform & {
  /** The version of the checkout server's package. */
  readonly version: string;
  /** @param config as the schema of this platform read it */
  connect(
    config: StoreConfig,
    host: ConnectHost,
  ): { readonly connection: BridgedConnection; readonly adapter: StoreAdapter };
  /** The settings of our plugin in the shop, or the shop itself where nobody knows their address. */
  settingsPage(url: string): string;
  /** Whether the configuration opens another way to the shop's orders than our plugin. */
  hasOwnKey(config: ConfiguredStore): boolean;
  /** The platform's own settings of a shop that its owner connected. */
  readonly ownSettings: object;
  /** Routes for the platform's own messages. */
  routes?(context: AppContext): Router;
};
