import type { RequestListener } from "node:http";
import {
  type CheckoutStart,
  createEngine,
  type Engine,
  type Order,
  purposeKey,
  receiveWebhook,
  startCheckout,
  systemClock,
  systemRandom,
} from "@tillkit/core";
import {
  correlatePayments,
  createClockCheck,
  createCorrelation,
  createDeliveryPriority,
  createJsonLog,
  createRoundStart,
  createServiceClients,
  createSignedTokens,
  createTaskScheduler,
  createWebhookHandler,
  createWorkTimer,
} from "@tillkit/runtime";
import { Router } from "express";
import { createBuyerRouter } from "./buyer/buyer-router.ts";
import { type LinkTokens, signOrderToken } from "./buyer/link-tokens.ts";
import { type CheckoutServerOptions, checkOptions } from "./checkout-options.ts";
import { createHealthRoute } from "./health.ts";
import { createIdentifiedRequests } from "./logs/identified-requests.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { createOperatorRoutes, scheduledTasksOf } from "./operator-parts.ts";
import { createReadinessRoute } from "./readiness.ts";
import { type Recovery, recoverStores } from "./recovery.ts";
import { refuseBrokenAddress } from "./serve/refuse-broken-address.ts";
import { openDirectory } from "./store-directory.ts";
import { openTenants, type StoredCredentials } from "./stored-credentials.ts";
import { createWebhookListener } from "./webhooks/webhook-listener.ts";

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
  const tokens: LinkTokens = createSignedTokens(keys, clock);
  const { callClock } = options;
  const createClient = createServiceClients({ ledger, clock, callClock, onCall: metrics.serviceCalled, log });
  const stores = openDirectory(options.stores, metrics);
  const { tenants, storedCredentials } = openTenants(options, clock, createClient);
  const engine = createEngine({
    ledger,
    tenants: correlatePayments(tenants, correlation),
    store: stores.get,
    clock,
    random,
    log,
    referenceKeys: [purposeKey(keys[0], "reference"), ...keys.slice(1).map((key) => purposeKey(key, "reference"))],
    returnUrls: ({ id, language }) => ({
      success: `${publicUrl}/return/${tokens.sign("return", id)}?lang=${language}`,
      cancel: `${publicUrl}/cancel/${tokens.sign("cancel", id)}?lang=${language}`,
    }),
    ...(options.amountUnit ? { amountUnit: options.amountUnit } : {}),
    ...(options.giveBack ? { autoRefund: options.giveBack } : {}),
  });
  // A clock that was passed in is not compared: it does not show the real time.
  const clockCheck = options.clock ? { isInSync: async () => true } : createClockCheck(ledger, clock, log);
  const priority = createDeliveryPriority(clock);
  const scheduler = createTaskScheduler(scheduledTasksOf(options, engine, publicUrl), clock, log);
  const timer = createWorkTimer({
    startJobs: createRoundStart({ engine, correlation, clockCheck }),
    onRound: scheduler.startDue,
    yieldToDeliveries: priority.yieldToDeliveries,
    clock,
    realClock: systemClock,
    log,
  });
  const handleWebhook = createWebhookHandler({
    receive: (delivery) => priority.receive(() => receiveWebhook(engine, delivery)),
    onAccepted: timer.wake,
    bodyParserFix:
      "give the Node server checkout.listener(app), or put app.use(checkout.router) before express.json().",
    clock,
    log,
  });
  const identified = createIdentifiedRequests({ basePath, correlation, random, log, answered: metrics.answered });
  const takeWebhooks = createWebhookListener(basePath, handleWebhook);
  const listener = (next: RequestListener) => identified(refuseBrokenAddress(takeWebhooks(next)));
  const stopListening = ledger.onNewJobs?.(timer.wake);

  return {
    engine,
    router: Router()
      .use((request, response, next) => listener(() => next())(request, response))
      .get("/healthz", createHealthRoute(ledger, timer, clock))
      .get("/readyz", createReadinessRoute({ ledger, timer, clock, clockCheck }))
      .use(createOperatorRoutes(options, { engine, stores, metrics, keys, publicUrl, basePath }))
      .use(createBuyerRouter(engine, tokens)),
    listener,
    storedCredentials,
    payLink: ({ ref, attempt }) => `${publicUrl}/pay/${signOrderToken(tokens, { ref, attempt })}`,
    startCheckout: (order) => startCheckout(engine, order),
    async *recover(from) {
      yield* recoverStores(engine, await stores.list(), from);
    },
    startTimer: timer.start,
    async close() {
      stopListening?.();
      await Promise.all([timer.close(), scheduler.close()]);
    },
  };
}
