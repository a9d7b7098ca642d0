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
import { createJsonLog, runsJobs, type ScheduledTask } from "@tillkit/runtime";
import {
  type CheckoutServer,
  type CheckoutServerOptions,
  createCheckoutServer,
  refuseUnreadable,
} from "@tillkit/server";
import { hostOptionsOf, loadOpenTelemetry } from "@tillkit/server/config";
import express from "express";
import type { ReadOrderMoney } from "../adapter/show-decision.ts";
import type { AppContext } from "../app-context.ts";
import { credentialsOf, hasWebhookSecrets } from "../config/credentials.ts";
import { readWooCommerceConfig } from "../config/read-config.ts";
import { admissionOf, listedStores, type WooCommerceConfig, type WooCommerceConfigInput } from "../config/schema.ts";
import { type ConnectedStores, connectStores } from "../connect-stores.ts";
import { decisionReasons } from "../decisions/decision-reasons.ts";
import { wooLimits } from "../limits.ts";
import { unpairedOf } from "../pairing/pairings.ts";
import { leaveShop, wipeLeavingShops } from "../self-service/leave-shop.ts";
import { openSelfServiceShops, type SelfServiceShops } from "../self-service/self-service-shops.ts";
import { createDailySweep } from "./daily-sweep.ts";
import { createRoutes } from "./routes.ts";
import { storeCredentials } from "./store-credentials.ts";

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
  /** The ids of shops that their owners have to connect before anybody can pay. */
  unpaired(): Promise<readonly string[]>;
  /** All routes: webhooks, shopper pages, health, operator pages, and the calls of the plugin. */
  readonly listener: RequestListener;
  /** Runs due jobs and sweeps every shop once a day, until `close`. Does nothing in a process whose role is `receiver`. */
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
  const ledger = options.ledger ?? (await openOwnLedger(config, log));
  const readMoney: ReadOrderMoney = async (ref, { isLate = false } = {}) => {
    const payments = await ledger.paymentsOfOrder(ref);
    const lost = payments.filter(({ lostToDispute }) => lostToDispute).map(({ id }) => id);
    const refunded = payments.filter(({ state }) => state === "refunded").map(({ id }) => id);
    return { reasons: decisionReasons(payments, isLate ? [] : config.autoRefund), lost, refunded };
  };
  const connectOptions = { config, ledger, clock, readMoney, log };
  const selfServed = admissionOf(config) !== null ? openSelfServiceShops(connectOptions) : null;
  const connected: ConnectedStores = selfServed ?? (await connectStores(connectOptions));
  const { shops } = connected;
  const selfService = selfServed?.selfService ?? null;
  const credentials = credentialsOf(config);
  const openTelemetry = await loadOpenTelemetry(config);
  const checkout = createCheckoutServer({
    ...hostOptionsOf(config),
    ...(openTelemetry ? { openTelemetry } : {}),
    credentials: connected.canChange ? "stored" : credentials.filter(hasWebhookSecrets),
    ledger,
    log,
    clock,
    random,
    // The daily reconciliation reconciles and also undoes holds that are no longer true.
    reconcile: "off",
    ...optionsOfConnections(connected, selfService, () => context),
    stores: {
      find: async (storeId) => (await shops.find(storeId))?.adapter ?? null,
      list: () => shops.ids(),
    },
  });
  if (checkout.storedCredentials && selfService === null)
    await storeCredentials(checkout.storedCredentials, credentials, ledger.secrets);
  const context: AppContext = {
    ...{ config, checkout, engine: checkout.engine, ledger, log, clock, random, shops, selfService },
    refreshStores: connected.refresh,
  };
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
    unpaired: () => unpairedOf(listedStores(config), ledger),
    listener: checkout.listener(app),
    start() {
      checkout.startTimer();
      if (runsJobs(config.role)) sweep.start();
    },
    sweep: sweep.sweepStore,
    async close() {
      await Promise.all([sweep.close(), checkout.close()]);
      if (!options.ledger) await ledger.close();
    },
  };
}

/** What keeps the shops of this process up to date, and what operators may do with shops that connected themselves. */
function optionsOfConnections(
  connected: ConnectedStores,
  selfService: SelfServiceShops | null,
  contextOf: () => AppContext,
): Pick<CheckoutServerOptions, "scheduledTasks" | "selfService"> {
  if (selfService === null) return { scheduledTasks: connected.canChange ? [readPairings(connected)] : [] };
  const disconnect = async (storeId: string) => await leaveShop(contextOf(), storeId, "operator");
  return { scheduledTasks: [wipeLeavingShops(contextOf)], selfService: { ...selfService, disconnect } };
}

/** A worker gets no request that would make it read the pairing that an owner made at another process. */
function readPairings({ refresh }: ConnectedStores): ScheduledTask {
  const { pairingReadMs } = wooLimits;
  return { name: "woo.pairings", firstDelayMs: pairingReadMs, intervalMs: pairingReadMs, run: () => refresh() };
}

/** Encrypts the secrets of pairings with the newest key of the configuration, also those that an older key encrypted. */
async function openOwnLedger({ database, databaseListenUrl, keys }: WooCommerceConfig, log: Log): Promise<Ledger> {
  const ledger = await openLedger(database, { secretKeys: keys, listenUrl: databaseListenUrl, log });
  await ledger.reencryptSecrets();
  return ledger;
}
