import type { RequestListener } from "node:http";
import {
  type Clock,
  type Ledger,
  type Log,
  type Random,
  type ReconcileResult,
  systemClock,
  systemRandom,
} from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { type CheckoutServer, createCheckoutServer, createJsonLog, refuseUnreadable } from "@tillkit/server";
import { hostOptionsOf } from "@tillkit/server/config";
import express from "express";
import { createWooShop } from "../adapter/woo-shop.ts";
import { createWooCommerceAdapter } from "../adapter/woocommerce-adapter.ts";
import { type CompanionConfig, type CompanionConfigInput, readCompanionConfig } from "../config/config.ts";
import { credentialsOf, environmentOf } from "../config/credentials.ts";
import type { CompanionStore, Desk } from "./desk.ts";
import { wooRoutes } from "./routes.ts";
import { createSweep } from "./sweep.ts";

export type CompanionOptions = {
  /** Stays open after `close()`; opened from `database`, and closed, unless given. */
  readonly ledger?: Ledger;
  /** JSON lines to stderr from `logLevel` on, unless given. */
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: Random;
};

export type WooCommerceCompanion = {
  readonly config: CompanionConfig;
  readonly checkout: CheckoutServer;
  /** Everything behind one listener: webhooks, buyer pages, health, operators, and what the plugin calls. */
  readonly listener: RequestListener;
  /** Works off what is due and sweeps every shop once a day, until `close`. Leave it out in a process that only receives. */
  start(): void;
  /** Reads the payments of a shop's unsettled orders anew, now. @throws StoreError, CheckoutError `store_not_known` */
  sweep(storeId: string): Promise<ReconcileResult>;
  close(): Promise<void>;
};

/**
 * The companion of any number of WooCommerce shops.
 * @throws CheckoutError `configuration_invalid`, one sentence for each mistake
 */
export async function createWooCommerceCompanion(
  written: CompanionConfigInput,
  options: CompanionOptions = {},
): Promise<WooCommerceCompanion> {
  const config = readCompanionConfig(written);
  const { clock = systemClock, random = systemRandom, log = createJsonLog({ level: config.logLevel }) } = options;
  const ledger = options.ledger ?? (await openLedger(config.database));
  const stores = new Map(config.stores.map((store) => [store.id, openStore(store, clock)]));
  const checkout = createCheckoutServer({
    ...hostOptionsOf(config),
    credentials: credentialsOf(config),
    ledger,
    log,
    clock,
    random,
    stores: Object.fromEntries([...stores].map(([id, { adapter }]) => [id, adapter])),
  });
  const desk: Desk = { config, checkout, engine: checkout.engine, ledger, log, clock, random, stores };
  const sweep = createSweep(desk);
  const basePath = new URL(config.publicUrl).pathname.replace(/\/$/, "");
  const app = express().disable("x-powered-by").disable("etag");
  // Whom a proxy of this machine or its private network names came; without it all visitors would be one.
  app.set("trust proxy", ["loopback", "uniquelocal"]);
  const routes = wooRoutes(desk);
  // Found under the path of the public address and at the root, for proxies that cut it off and those that do not.
  for (const path of new Set(["/", basePath || "/"])) app.use(path, routes, checkout.router);
  app.use(refuseUnreadable(log));

  return {
    config,
    checkout,
    listener: checkout.listener(app),
    start() {
      checkout.startTimer();
      sweep.start();
    },
    sweep: sweep.once,
    async close() {
      await Promise.all([sweep.close(), checkout.close()]);
      if (!options.ledger) await ledger.close();
    },
  };
}

function openStore(config: CompanionConfig["stores"][number], clock: Clock): CompanionStore {
  const { linkSecret, previousLinkSecret } = config;
  const shop = createWooShop({ ...config, storeId: config.id, environment: environmentOf(config), clock });
  return {
    config,
    shop,
    adapter: createWooCommerceAdapter(shop),
    environment: environmentOf(config),
    secrets: [linkSecret, ...(previousLinkSecret === undefined ? [] : [previousLinkSecret])],
  };
}
