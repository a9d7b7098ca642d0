import type { RequestListener } from "node:http";
import {
  CheckoutError,
  type CheckoutStart,
  createEngine,
  createTenants,
  type Engine,
  type Order,
  receiveWebhook,
  runDue,
  type StoreAdapter,
  startCheckout,
  systemClock,
  systemRandom,
} from "@tillkit/core";
import { Router } from "express";
import { createBuyerRouter } from "./buyer/buyer-router.ts";
import { type CheckoutServerOptions, checkOptions } from "./checkout-options.ts";
import { createHealthRoute } from "./health.ts";
import { purposeKey } from "./purpose-key.ts";
import { createSignedLinks } from "./signed-links.ts";
import { stderrLog } from "./stderr-log.ts";
import { createReception } from "./webhooks/reception.ts";
import { createWebhookListener } from "./webhooks/webhook-listener.ts";
import { createWebhookReceiver } from "./webhooks/webhook-receiver.ts";
import { createWorkTimer } from "./work-timer.ts";

export type CheckoutServer = {
  readonly engine: Engine;
  /** Buyer pages, `/healthz`, and the webhook route for hosts that cannot use `listener`. */
  readonly router: Router;
  /** The webhook route on bare node:http; everything else goes to `next`, an Express app that uses `router`. */
  listener(next: RequestListener): RequestListener;
  /** @throws CheckoutError as core's startCheckout does */
  startCheckout(order: Order): Promise<CheckoutStart>;
  /** Does the work that is due, from now on until `close`. Leave it out in a process that only receives. */
  startTimer(): void;
  /** Resolves when the work under way is over, or after ten seconds. The ledger stays open: it is the host's. */
  close(): Promise<void>;
};

/** @throws CheckoutError `configuration_invalid`, one sentence for each mistake */
export function createCheckoutServer(options: CheckoutServerOptions): CheckoutServer {
  const { clock = systemClock, log = stderrLog, ledger } = options;
  const { publicUrl, keys } = checkOptions(options);
  const links = createSignedLinks(keys, clock);
  const engine = createEngine({
    ledger,
    tenants: createTenants({ credentials: options.credentials, clock }),
    store: async (storeId) => storeOf(options.stores, storeId),
    clock,
    random: options.random ?? systemRandom,
    log,
    referenceKeys: [purposeKey(keys[0], "reference"), ...keys.slice(1).map((key) => purposeKey(key, "reference"))],
    returnUrls: ({ id, language }) => ({
      success: `${publicUrl}/return/${links.sign("return", id)}?lang=${language}`,
      cancel: `${publicUrl}/cancel/${links.sign("cancel", id)}?lang=${language}`,
    }),
    ...(options.amountUnit ? { amountUnit: options.amountUnit } : {}),
  });
  const reception = createReception(clock);
  const timer = createWorkTimer({ work: () => workOnce(engine), giveWay: reception.quiet, clock, log });
  const receiver = createWebhookReceiver({
    receive: (delivery) => reception.during(() => receiveWebhook(engine, delivery)),
    accepted: timer.kick,
    clock,
    log,
  });

  const listener = createWebhookListener(publicUrl.slice(new URL(publicUrl).origin.length), receiver);

  return {
    engine,
    router: Router()
      .get("/healthz", createHealthRoute(ledger, timer, clock))
      .use((request, response, next) => listener(() => next())(request, response))
      .use(createBuyerRouter(engine, links)),
    listener,
    startCheckout: (order) => startCheckout(engine, order),
    startTimer: timer.start,
    close: timer.close,
  };
}

function storeOf(stores: CheckoutServerOptions["stores"], storeId: string): StoreAdapter {
  const store = Object.hasOwn(stores, storeId) ? stores[storeId] : undefined;
  if (store) return store;
  throw new CheckoutError(
    "store_not_known",
    `Store "${storeId}" is not one of this server's stores: add it to stores.`,
  );
}

async function workOnce(engine: Engine): Promise<number> {
  const { done, retried, dead } = await runDue(engine);
  return done + retried + dead;
}
