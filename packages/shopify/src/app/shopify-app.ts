import type { RequestListener } from "node:http";
import { type Clock, type Ledger, type Log, type Random, runDue, systemClock, systemRandom } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createJsonLog } from "@tillkit/runtime";
import { type CheckoutServer, refuseUnreadable } from "@tillkit/server";
import { loadOpenTelemetry } from "@tillkit/server/config";
import express from "express";
import type { AppContext } from "../app-context.ts";
import { readShopifyConfig } from "../config/config.ts";
import type { ShopifyConfig, ShopifyConfigInput } from "../config/config-schema.ts";
import { createProxyCheck } from "../config/trusted-proxies.ts";
import { createAppContext } from "./create-context.ts";
import { shopifyRoutes } from "./routes.ts";

export type ShopifyAppOptions = {
  /** A ledger with secret keys, which stays open after `close()`. By default the app opens and closes `database`. */
  readonly ledger?: Ledger;
  /** By default JSON lines on stderr, from `logLevel` on. */
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: Random;
};

export type ShopifyApp = {
  readonly config: ShopifyConfig;
  readonly checkout: CheckoutServer;
  /** All routes: of Shopify and the owners, the shopper pages, webhooks of the service, health and operators. */
  readonly listener: RequestListener;
  /** Runs due and scheduled tasks until `close()`. Does nothing in a process whose role is `receiver`. */
  start(): void;
  /**
   * Runs the payments, refunds and webhooks that are due now, for a host with its own timer. The scheduled tasks, such as the
   * daily one, run after `start()` only.
   * @returns how many tasks ran
   */
  runDue(): Promise<number>;
  close(): Promise<void>;
};

/**
 * Creates the app server for any number of Shopify shops, in the mode of its configuration.
 * @throws CheckoutError `configuration_invalid` with one sentence for each mistake
 */
export async function createShopifyApp(
  input: ShopifyConfigInput,
  options: ShopifyAppOptions = {},
): Promise<ShopifyApp> {
  const config = readShopifyConfig(input);
  const { clock = systemClock, random = systemRandom, log = createJsonLog({ level: config.logLevel }) } = options;
  const ledger = options.ledger ?? (await openOwnLedger(config, log));
  const openTelemetry = await loadOpenTelemetry(config);
  const context = createAppContext(config, { ledger, log, clock, random }, openTelemetry);
  const { checkout } = context;

  return {
    config,
    checkout,
    listener: checkout.listener(createExpressApp(context)),
    start: () => checkout.startTimer(),
    async runDue() {
      const { done, retried, dead } = await runDue(checkout.engine);
      return done + retried + dead;
    },
    async close() {
      await checkout.close();
      if (!options.ledger) await ledger.close();
    },
  };
}

function createExpressApp(context: AppContext): express.Express {
  const { config, checkout, log } = context;
  const { clientCertificates, publicUrl } = config;
  const basePath = new URL(publicUrl).pathname.replace(/\/$/, "");
  const app = express().disable("x-powered-by").disable("etag");
  // Behind a proxy the shopper's address is in a header. Without this setting all shoppers would share one lookup limit.
  if (clientCertificates.verifiedBy === "proxy") {
    app.set("trust proxy", createProxyCheck(clientCertificates.trustedProxies));
  }
  const routes = shopifyRoutes(context);
  // Some proxies remove the path of the public URL and some do not, so the routes are mounted under both.
  for (const path of new Set(["/", basePath || "/"])) app.use(path, routes, checkout.router);
  return app.use(refuseUnreadable(log));
}

async function openOwnLedger({ database, databaseListenUrl, secretKeys }: ShopifyConfig, log: Log): Promise<Ledger> {
  return await openLedger(database, { secretKeys, listenUrl: databaseListenUrl, log });
}
