import type { RequestListener } from "node:http";
import {
  type Clock,
  type Ledger,
  type Log,
  type OrderRef,
  type Random,
  type ReconcileResult,
  systemClock,
  systemRandom,
} from "@tillkit/core";
import { FINAL_STATES } from "@tillkit/core/ledger";
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
import type { AppContext } from "../app-context.ts";
import { readOrderKey } from "../calls/order-key.ts";
import { credentialsOf, hasWebhookSecrets } from "../config/credentials.ts";
import { admissionOf, type BridgedConfig, listedStores } from "../config/schema.ts";
import { type ConnectedStores, connectStores } from "../connect-stores.ts";
import { decisionReasons } from "../decisions/decision-reasons.ts";
import type { ReadOrderMoney } from "../decisions/order-money.ts";
import type { KeyOfOrder } from "../orders/find-by-plugin.ts";
import { unpairedOf } from "../pairing/pairings.ts";
import { leaveShop, wipeLeavingShops } from "../self-service/leave-shop.ts";
import { openSelfServiceShops, type SelfServiceShops } from "../self-service/self-service-shops.ts";
import type { ServedPlatform } from "../served-platform.ts";
import { serverLimits } from "../server-limits.ts";
import { createDailySweep } from "./daily-sweep.ts";
import { createRoutes } from "./routes.ts";
import { storeCredentials } from "./store-credentials.ts";

export type BridgedServerOptions = {
  /** By default opened from `database` and closed by `close()`. A given ledger stays open. */
  readonly ledger?: Ledger;
  /** By default JSON lines on stderr from `logLevel` on. */
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: Random;
};

export type BridgedServer = {
  readonly config: BridgedConfig;
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

/** Creates the checkout server of one or more shops of a platform. */
export async function createBridgedServer(
  platform: ServedPlatform,
  config: BridgedConfig,
  options: BridgedServerOptions = {},
): Promise<BridgedServer> {
  const { clock = systemClock, random = systemRandom, log = createJsonLog({ level: config.logLevel }) } = options;
  const ledger = options.ledger ?? (await openOwnLedger(config, log));
  const readMoney: ReadOrderMoney = async (ref) => {
    const [payments, timeline] = await Promise.all([ledger.paymentsOfOrder(ref), ledger.timeline({ ref })]);
    const lost = payments.filter(({ lostToDispute }) => lostToDispute).map(({ id }) => id);
    const refunded = payments.filter(({ state }) => state === "refunded").map(({ id }) => id);
    return { reasons: decisionReasons({ ...config, clock }, payments, timeline), lost, refunded };
  };
  const keyOf: KeyOfOrder = async (ref) => (await readOrderKey(platform, ledger, ref)) ?? "";
  const hasOpenPayments = async (ref: OrderRef) =>
    (await ledger.paymentsOfOrder(ref)).some(({ state }) => !FINAL_STATES.has(state));
  const connectOptions = { platform, config, ledger, host: { clock, log, readMoney, keyOf, hasOpenPayments } };
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
    ...optionsOfConnections(platform, connected, selfService, () => context),
    stores: {
      find: async (storeId) => (await shops.find(storeId))?.adapter ?? null,
      list: () => shops.ids(),
    },
  });
  if (checkout.storedCredentials && selfService === null)
    await storeCredentials(checkout.storedCredentials, credentials, ledger.secrets, platform);
  const context: AppContext = {
    ...{ platform, config, checkout, engine: checkout.engine, ledger, clock, random, shops, selfService },
    log: logOf(platform, log),
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
    unpaired: () => unpairedOf(platform, listedStores(config), ledger),
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
  { prefix }: ServedPlatform,
  connected: ConnectedStores,
  selfService: SelfServiceShops | null,
  contextOf: () => AppContext,
): Pick<CheckoutServerOptions, "scheduledTasks" | "selfService"> {
  if (selfService === null) return { scheduledTasks: connected.canChange ? [readPairings(prefix, connected)] : [] };
  const disconnect = async (storeId: string) => await leaveShop(contextOf(), storeId, "operator");
  return { scheduledTasks: [wipeLeavingShops(prefix, contextOf)], selfService: { ...selfService, disconnect } };
}

/** The log of the handlers. Its lines begin with the prefix of the platform: `woo.paired`. */
function logOf({ prefix }: ServedPlatform, log: Log): Log {
  return {
    info: (message, fields) => log.info(`${prefix}.${message}`, fields),
    warn: (message, fields) => log.warn(`${prefix}.${message}`, fields),
    error: (message, fields) => log.error(`${prefix}.${message}`, fields),
  };
}

/** A worker gets no request that would make it read the pairing that an owner made at another process. */
function readPairings(prefix: string, { refresh }: ConnectedStores): ScheduledTask {
  const { pairingReadMs } = serverLimits;
  return { name: `${prefix}.pairings`, firstDelayMs: pairingReadMs, intervalMs: pairingReadMs, run: () => refresh() };
}

/** Encrypts the secrets of pairings with the newest key of the configuration, also those that an older key encrypted. */
async function openOwnLedger({ database, databaseListenUrl, keys }: BridgedConfig, log: Log): Promise<Ledger> {
  const ledger = await openLedger(database, { secretKeys: keys, listenUrl: databaseListenUrl, log });
  await ledger.reencryptSecrets();
  return ledger;
}
