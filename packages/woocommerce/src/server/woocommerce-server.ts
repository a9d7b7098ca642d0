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
import { createJsonLog } from "@tillkit/runtime";
import { type CheckoutServer, createCheckoutServer, refuseUnreadable } from "@tillkit/server";
import { hostOptionsOf } from "@tillkit/server/config";
import express from "express";
import type { ReadDecisionReasons } from "../adapter/show-decision.ts";
import { createWooCommerceAdapter } from "../adapter/woocommerce-adapter.ts";
import type { AppContext, ConnectedStore } from "../app-context.ts";
import { credentialsOf, environmentOf } from "../config/credentials.ts";
import { readWooCommerceConfig } from "../config/read-config.ts";
import type { WooCommerceConfig, WooCommerceConfigInput } from "../config/schema.ts";
import { decisionReasons } from "../decisions/decision-reasons.ts";
import { createWooStore } from "../store/woo-store.ts";
import { createDailySweep } from "./daily-sweep.ts";
import { createRoutes } from "./routes.ts";

export type WooCommerceServerOptions = {
  /** By default opened from `database` and closed by `close()`. A given ledger stays open. */
  readonly ledger?: Ledger;
  /** By default JSON lines on stderr from `logLevel` on. */
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: Random;
};

export type WooCommerceServer = {
  readonly config: WooCommerceConfig;
  readonly checkout: CheckoutServer;
  /** All routes: webhooks, shopper pages, health, operator pages, and the calls of the plugin. */
  readonly listener: RequestListener;
  /** Runs due jobs and sweeps every shop once a day, until `close`. A process that only receives requests does not call it. */
  start(): void;
  /** Verifies the payments of a shop's unpaid orders now. @throws StoreError, CheckoutError `store_not_known` */
  sweep(storeId: string): Promise<ReconcileResult>;
  close(): Promise<void>;
};

/**
 * Creates the checkout server of one or more WooCommerce shops.
 * @throws CheckoutError `configuration_invalid`: one sentence for each mistake
 */
export async function createWooCommerceServer(
  input: WooCommerceConfigInput,
  options: WooCommerceServerOptions = {},
): Promise<WooCommerceServer> {
  const config = readWooCommerceConfig(input);
  const { clock = systemClock, random = systemRandom, log = createJsonLog({ level: config.logLevel }) } = options;
  const ledger = options.ledger ?? (await openLedger(config.database));
  const readReasons: ReadDecisionReasons = async (ref, { isLate = false } = {}) =>
    decisionReasons(await ledger.paymentsOfOrder(ref), isLate ? [] : config.autoRefund);
  const stores = new Map(config.stores.map((store) => [store.id, connectStore(store, clock, readReasons)]));
  const checkout = createCheckoutServer({
    ...hostOptionsOf(config),
    credentials: credentialsOf(config),
    ledger,
    log,
    clock,
    random,
    // The daily sweep reconciles and also undoes holds that are no longer true.
    reconcile: "off",
    stores: Object.fromEntries([...stores].map(([id, { adapter }]) => [id, adapter])),
  });
  const context: AppContext = { config, checkout, engine: checkout.engine, ledger, log, clock, random, stores };
  const sweep = createDailySweep(context);
  const basePath = new URL(config.publicUrl).pathname.replace(/\/$/, "");
  const app = express().disable("x-powered-by").disable("etag");
  // Trust X-Forwarded-For from proxies on this machine or in its private network. Otherwise all visitors share one address.
  app.set("trust proxy", ["loopback", "uniquelocal"]);
  const routes = createRoutes(context);
  // Serve the routes under the path of the public address and at the root: some proxies strip the path, others do not.
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
    sweep: sweep.sweepStore,
    async close() {
      await Promise.all([sweep.close(), checkout.close()]);
      if (!options.ledger) await ledger.close();
    },
  };
}

function connectStore(
  config: WooCommerceConfig["stores"][number],
  clock: Clock,
  readReasons: ReadDecisionReasons,
): ConnectedStore {
  const { linkSecret, previousLinkSecret } = config;
  const connection = createWooStore({ ...config, storeId: config.id, environment: environmentOf(config), clock });
  return {
    config,
    connection,
    adapter: createWooCommerceAdapter(connection, readReasons),
    environment: environmentOf(config),
    linkSecrets: [linkSecret, ...(previousLinkSecret === undefined ? [] : [previousLinkSecret])],
  };
}
