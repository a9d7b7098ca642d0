import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  acceptReview,
  CheckoutError,
  codeOf,
  decideDispute,
  type Engine,
  findingKey,
  type Log,
  type LogFields,
  nameTransaction,
  recoverPayments,
  refundPayment,
  type StoreAdapter,
  systemClock,
  verifyPayment,
} from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { type CheckoutServer, createCheckoutServer } from "@tillkit/server";
import express from "express";
import { refundShown } from "../../refund-shown.ts";
import type { Failure, ProcessMessage, RequestMessage, Requests, StartOptions } from "../messages.ts";
import { ENDPOINT_ID, ENVIRONMENT } from "../messages.ts";
import { createMovableClock, type MovableClock } from "../movable-clock.ts";
import { createFreezer } from "./freezer.ts";
import { shopOverHttp } from "./shop-over-http.ts";
import { createSteps, type Steps } from "./steps.ts";

// A merchant's production server in its own process. The parent starts it, sends it requests and kills it.
// It loads its code first and then waits for its options, so that a restart is fast.
process.on("disconnect", () => process.exit());
process.once("message", (options) => {
  start(options as StartOptions).catch((error: unknown) => {
    process.stderr.write(`The process did not start: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
});
send({ kind: "loaded" });

const KEYS = ["a key of processes that are killed, long enough to sign with"];

type Server = {
  readonly checkout: CheckoutServer;
  readonly engine: Engine;
  readonly clock: MovableClock;
  readonly steps: Steps;
  readonly stores: Readonly<Record<string, StoreAdapter>>;
  readonly endpoint: { readonly id: string; readonly url: string };
};

async function start(options: StartOptions): Promise<void> {
  const server = await openServer(options);
  process.on("message", (message) => void handle(server, message as RequestMessage));
  if (options.role !== "server") server.checkout.startTimer();
  send({ kind: "serving", port: options.role === "worker" ? 0 : await listen(server.checkout) });
}

async function openServer(options: StartOptions): Promise<Server> {
  const clock = createMovableClock(options.clockOffsetMs);
  const file = options.ledgerUrl.replace(/^sqlite:/, "");
  const steps = createSteps(
    options.crashPoint,
    options.durableFile === null ? null : { wal: `${file}-wal`, record: options.durableFile },
    options.freezePoint === null ? null : createFreezer(options.freezePoint, clock),
  );
  const stores = Object.fromEntries(
    options.stores.map((description) => [description.storeId, steps.store(shopOverHttp(description, options.shopUrl))]),
  );
  const { baseUrl, apiKey, webhookSecret } = options.service;
  const checkout = createCheckoutServer({
    publicUrl: options.publicUrl,
    keys: KEYS,
    ledger: steps.ledger(await openLedger(options.ledgerUrl)),
    stores,
    credentials: [
      { storeIds: Object.keys(stores), apiKey, baseUrl, endpointId: ENDPOINT_ID, webhookSecrets: [webhookSecret] },
    ],
    clock,
    // Calls end by the machine's time, but the last moment to send a refund is a moment of the ledger.
    callClock: { ...systemClock, now: clock.now },
    log: stderrLines,
  });
  // The server creates its own client of the service; wrap that client to observe its steps.
  const { tenants } = checkout.engine;
  Object.assign(checkout.engine, {
    tenants: { ...tenants, service: async (id: string) => steps.service(await tenants.service(id)) },
  });
  const endpoint = { id: ENDPOINT_ID, url: `${options.publicUrl}/hooks/service/${ENDPOINT_ID}` };
  return { checkout, engine: checkout.engine, clock, steps, stores, endpoint };
}

async function listen({ router, listener }: CheckoutServer): Promise<number> {
  const app = express();
  app.use(router);
  const server = createServer(listener(app));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function handle(server: Server, { id, name, input }: RequestMessage): Promise<void> {
  try {
    const handler = HANDLERS[name] as (server: Server, input: unknown) => Promise<unknown>;
    send({ kind: "answer", id, result: (await handler(server, input)) ?? null });
  } catch (error) {
    send({ kind: "failed", id, failure: failureOf(error) });
  }
}

const HANDLERS: {
  [What in keyof Requests]: (server: Server, input: Requests[What]["input"]) => Promise<Requests[What]["result"]>;
} = {
  async startCheckout({ checkout, stores }, { ref, attempt }) {
    const order = await stores[ref.storeId]?.findOrder(ref, attempt);
    if (!order) throw new Error("The shop has no such order.");
    return await checkout.startCheckout(order);
  },
  payment: async ({ engine }, { paymentId }) => await engine.ledger.find({ id: paymentId }),
  verify: async ({ engine }, { paymentId }) => ({ status: (await verifyPayment(engine, paymentId)).status }),
  refund: async ({ engine }, request) => await refundPayment(engine, request),
  async acceptReview({ engine }, { paymentId }) {
    const finding = (await engine.ledger.find({ id: paymentId }))?.finding;
    return (await acceptReview(engine, { paymentId, by: "owner", findingKey: finding ? findingKey(finding) : "" }))
      .status;
  },
  refundShown: async ({ engine }, { paymentId }) => (await refundShown(engine, paymentId))?.status ?? "unknown",
  async decideDispute({ engine }, decision) {
    await decideDispute(engine, { ...decision, by: "owner" });
    return null;
  },
  nameTransaction: async ({ engine }, decision) => (await nameTransaction(engine, { ...decision, by: "owner" })).id,
  disputes: async ({ engine }, { paymentId }) => await engine.ledger.disputes(paymentId),
  recover: async ({ engine, endpoint }, search) =>
    (await recoverPayments(engine, { ...search, environment: ENVIRONMENT, endpoint })).recovered,
  async advanceTime({ clock }, { offsetMs }) {
    clock.jump(Math.max(0, offsetMs - clock.offsetMs()));
    return null;
  },
  activity: async ({ engine, steps }) => ({
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
  info: (message, fields) => writeLine("info", message, fields),
  warn: (message, fields) => writeLine("warn", message, fields),
  error: (message, fields) => writeLine("error", message, fields),
};

function writeLine(level: string, message: string, fields: LogFields = {}): void {
  process.stderr.write(`${JSON.stringify({ level, message, ...fields })}\n`);
}

function send(message: ProcessMessage): void {
  process.send?.(message);
}
