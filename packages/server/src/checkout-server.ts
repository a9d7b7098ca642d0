import type { RequestListener } from "node:http";
import {
  type CheckoutStart,
  createEngine,
  type Engine,
  type Order,
  purposeKey,
  receiveWebhook,
  startCheckout,
  startDue,
  systemClock,
  systemRandom,
} from "@tillkit/core";
import { Router } from "express";
import { createBuyerRouter } from "./buyer/buyer-router.ts";
import { type CheckoutServerOptions, checkOptions } from "./checkout-options.ts";
import { createChores } from "./chores.ts";
import { type ClockWatch, createClockWatch } from "./clock-watch.ts";
import { createHealthRoute } from "./health.ts";
import { hostLimits } from "./limits.ts";
import { type Correlation, createCorrelation } from "./logs/correlation.ts";
import { createIdentifiedRequests } from "./logs/identified-requests.ts";
import { createJsonLog } from "./logs/json-log.ts";
import { tellPayments } from "./logs/told-payments.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { choresOf, createOperatorRoutes } from "./operator-parts.ts";
import { createReadinessRoute } from "./readiness.ts";
import { type Recovery, recoverStores } from "./recovery.ts";
import { refuseBrokenAddress } from "./serve/refuse-broken-address.ts";
import { createClientOf } from "./service-clients.ts";
import { createSignedLinks } from "./signed-links.ts";
import { openDirectory } from "./store-directory.ts";
import { openTenants, type StoredCredentials } from "./stored-credentials.ts";
import { createReception } from "./webhooks/reception.ts";
import { createWebhookListener } from "./webhooks/webhook-listener.ts";
import { createWebhookReceiver } from "./webhooks/webhook-receiver.ts";
import { createWorkTimer, type WorkTimerOptions } from "./work-timer.ts";

export type CheckoutServer = {
  readonly engine: Engine;
  /** Buyer pages, `/healthz`, `/readyz`, what operators get, and the webhook route for hosts that cannot use `listener`. */
  readonly router: Router;
  /** The webhook route on bare node:http; everything else goes to `next`, an Express app that uses `router`. */
  listener(next: RequestListener): RequestListener;
  /** Where credentials come and go; null where they were given as a list. */
  readonly storedCredentials: StoredCredentials | null;
  /**
   * A pay link of one try of an order that never changes and never lapses, for a platform that keeps it: who opens it finds
   * the session that is open for that try, or a new one, or that it is paid. Nothing is asked of the service before.
   */
  payLink(order: Pick<Order, "ref" | "attempt">): string;
  /** @throws CheckoutError as core's startCheckout does */
  startCheckout(order: Order): Promise<CheckoutStart>;
  /**
   * After the ledger was restored from a backup: asks the service, with each key of these stores, for the payments and refunds
   * since then, takes back those of ours that are missing and confirms them. Safe to repeat and beside a running server.
   * @param from milliseconds since 1970, a little before the backup was made
   */
  recover(from: number): AsyncGenerator<Recovery>;
  /** Does the work that is due, sends alerts and prunes, from now on until `close`. Leave it out in a process that only receives. */
  startTimer(): void;
  /** Resolves when the work under way is over, or after ten seconds. The ledger stays open: it is the host's. */
  close(): Promise<void>;
};

/** @throws CheckoutError `configuration_invalid`, one sentence for each mistake */
export function createCheckoutServer(options: CheckoutServerOptions): CheckoutServer {
  const { clock = systemClock, random = systemRandom, ledger } = options;
  const { publicUrl, keys } = checkOptions(options);
  const basePath = publicUrl.slice(new URL(publicUrl).origin.length);
  const correlation = createCorrelation();
  const log = correlation.log(options.log ?? createJsonLog());
  const metrics = createMetrics();
  const links = createSignedLinks(keys, clock);
  const clientOf = createClientOf({ ledger, clock, callClock: options.callClock, metrics, log });
  const stores = openDirectory(options.stores, metrics);
  const { tenants, storedCredentials } = openTenants(options, clock, clientOf);
  const engine = createEngine({
    ledger,
    tenants: tellPayments(tenants, correlation),
    store: stores.get,
    clock,
    random,
    log,
    referenceKeys: [purposeKey(keys[0], "reference"), ...keys.slice(1).map((key) => purposeKey(key, "reference"))],
    returnUrls: ({ id, language }) => ({
      success: `${publicUrl}/return/${links.sign("return", id)}?lang=${language}`,
      cancel: `${publicUrl}/cancel/${links.sign("cancel", id)}?lang=${language}`,
    }),
    ...(options.amountUnit ? { amountUnit: options.amountUnit } : {}),
    ...(options.giveBack ? { autoRefund: options.giveBack } : {}),
  });
  // A clock that was passed in is nobody's real time.
  const clocks = options.clock ? { agrees: async () => true } : createClockWatch(ledger, clock, log);
  const reception = createReception(clock);
  const chores = createChores(choresOf(options, engine, publicUrl), clock, log);
  const timer = createWorkTimer({
    begin: createRounds(engine, correlation, clocks),
    eachTurn: chores.turn,
    giveWay: reception.quiet,
    clock,
    stopwatch: systemClock,
    log,
  });
  const receiver = createWebhookReceiver({
    receive: (delivery) => reception.during(() => receiveWebhook(engine, delivery)),
    accepted: timer.kick,
    clock,
    log,
  });
  const identified = createIdentifiedRequests({ basePath, correlation, random, log, answered: metrics.answered });
  const takeWebhooks = createWebhookListener(basePath, receiver);
  const listener = (next: RequestListener) => identified(refuseBrokenAddress(takeWebhooks(next)));
  const stopHearing = ledger.onNewJobs?.(timer.kick);

  return {
    engine,
    router: Router()
      .use((request, response, next) => listener(() => next())(request, response))
      .get("/healthz", createHealthRoute(ledger, timer, clock))
      .get("/readyz", createReadinessRoute({ ledger, timer, clock, clocks }))
      .use(createOperatorRoutes(options, { engine, stores, metrics, keys, publicUrl, basePath }))
      .use(createBuyerRouter(engine, links)),
    listener,
    storedCredentials,
    payLink: ({ ref, attempt }) => `${publicUrl}/pay/${links.signOrder({ ref, attempt })}`,
    startCheckout: (order) => startCheckout(engine, order),
    async *recover(from) {
      yield* recoverStores(engine, await stores.list(), from);
    },
    startTimer: timer.start,
    async close() {
      stopHearing?.();
      await Promise.all([timer.close(), chores.close()]);
    },
  };
}

// Lines of one round belong together, whichever process does it.
function createRounds(engine: Engine, correlation: Correlation, clocks: ClockWatch): WorkTimerOptions["begin"] {
  let rounds = 0;
  return async function beginRound(jobEnded) {
    if (!(await clocks.agrees())) return { claimed: 0, finished: Promise.resolve() };
    rounds += 1;
    const round = `${engine.worker.slice(0, 8)}-${rounds}`;
    return await correlation.run({ round }, () => startDue(engine, { limit: hostLimits.jobsAGo, jobEnded }));
  };
}
