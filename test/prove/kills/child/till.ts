import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  acceptReview,
  CheckoutError,
  codeOf,
  type Engine,
  type Log,
  type LogFields,
  refundPayment,
  refundReview,
  type StoreAdapter,
  verifyPayment,
} from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { type CheckoutServer, createCheckoutServer } from "@tillkit/server";
import express from "express";
import type { Asks, Failure, Question, Said, StartOrder } from "../messages.ts";
import { ENDPOINT_ID } from "../messages.ts";
import { createWorldClock, type WorldClock } from "../world-clock.ts";
import { shopOverHttp } from "./shop-over-http.ts";
import { createSteps, type Steps } from "./steps.ts";

// A merchant's server, as production runs it, in a process of its own: it is started, asked and killed by its parent.
// It loads its code first and waits for its orders, so that a restart is as fast as a supervisor's.
process.on("disconnect", () => process.exit());
process.once("message", (order) => {
  start(order as StartOrder).catch((error: unknown) => {
    process.stderr.write(`The process did not start: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
});
say({ say: "loaded" });

const KEYS = ["a key of processes that are killed, long enough to sign with"];

type Till = {
  readonly checkout: CheckoutServer;
  readonly engine: Engine;
  readonly clock: WorldClock;
  readonly steps: Steps;
  readonly stores: Readonly<Record<string, StoreAdapter>>;
};

async function start(order: StartOrder): Promise<void> {
  const till = await openTill(order);
  process.on("message", (question) => void answer(till, question as Question));
  if (order.role !== "server") till.checkout.startTimer();
  say({ say: "serving", port: order.role === "worker" ? 0 : await listen(till.checkout) });
}

async function openTill(order: StartOrder): Promise<Till> {
  const clock = createWorldClock(order.clockOffsetMs);
  const file = order.ledgerUrl.replace(/^sqlite:/, "");
  const steps = createSteps(
    order.death,
    order.durableFile === null ? null : { wal: `${file}-wal`, note: order.durableFile },
  );
  const stores = Object.fromEntries(
    order.stores.map((card) => [card.storeId, steps.store(shopOverHttp(card, order.shopUrl))]),
  );
  const { baseUrl, apiKey, webhookSecret } = order.service;
  const checkout = createCheckoutServer({
    publicUrl: order.publicUrl,
    keys: KEYS,
    ledger: steps.ledger(await openLedger(order.ledgerUrl)),
    stores,
    credentials: [
      { storeIds: Object.keys(stores), apiKey, baseUrl, endpointId: ENDPOINT_ID, webhookSecrets: [webhookSecret] },
    ],
    clock,
    log: stderrLines,
  });
  // The server makes its own way to the service; the steps stand between the two.
  const { tenants } = checkout.engine;
  Object.assign(checkout.engine, {
    tenants: { ...tenants, service: async (id: string) => steps.service(await tenants.service(id)) },
  });
  return { checkout, engine: checkout.engine, clock, steps, stores };
}

async function listen({ router, listener }: CheckoutServer): Promise<number> {
  const app = express();
  app.use(router);
  const server = createServer(listener(app));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function answer(till: Till, { id, what, ask }: Question): Promise<void> {
  try {
    const tell = ANSWERS[what] as (till: Till, ask: unknown) => Promise<unknown>;
    say({ say: "answer", id, answer: (await tell(till, ask)) ?? null });
  } catch (error) {
    say({ say: "failed", id, failure: failureOf(error) });
  }
}

const ANSWERS: { [What in keyof Asks]: (till: Till, ask: Asks[What]["ask"]) => Promise<Asks[What]["answer"]> } = {
  async startCheckout({ checkout, stores }, { ref, attempt }) {
    const order = await stores[ref.storeId]?.findOrder(ref, attempt);
    if (!order) throw new Error("The shop has no such order.");
    return await checkout.startCheckout(order);
  },
  payment: async ({ engine }, { paymentId }) => await engine.ledger.find({ id: paymentId }),
  verify: async ({ engine }, { paymentId }) => ({ status: (await verifyPayment(engine, paymentId)).status }),
  refund: async ({ engine }, wish) => await refundPayment(engine, wish),
  acceptReview: async ({ engine }, { paymentId }) => (await acceptReview(engine, { paymentId, by: "owner" })).status,
  refundReview: async ({ engine }, { paymentId }) => (await refundReview(engine, { paymentId, by: "owner" })).state,
  async jump({ clock }, { ms }) {
    clock.leap(ms);
    return null;
  },
  look: async ({ engine, steps }) => ({
    busy: steps.busy(),
    calls: steps.calls(),
    nextDueAt: await engine.ledger.nextDueAt(),
  }),
  steps: async ({ steps }) => steps.counts(),
};

function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  return {
    code,
    message: error instanceof Error ? error.message : String(error),
    retryable: code === "database_busy" || (error instanceof CheckoutError && error.retryable),
  };
}

const stderrLines: Log = {
  info: (message, fields) => line("info", message, fields),
  warn: (message, fields) => line("warn", message, fields),
  error: (message, fields) => line("error", message, fields),
};

function line(level: string, message: string, fields: LogFields = {}): void {
  process.stderr.write(`${JSON.stringify({ level, message, ...fields })}\n`);
}

function say(said: Said): void {
  process.send?.(said);
}
