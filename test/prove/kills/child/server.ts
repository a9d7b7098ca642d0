import { createServer, type RequestListener } from "node:http";
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
import { type Ledger, openLedger } from "@tillkit/ledger";
import { type CheckoutServer, createCheckoutServer, createInvitations } from "@tillkit/server";
import express from "express";
import { refundShown } from "../../refund-shown.ts";
import type { Failure, ProcessMessage, RequestMessage, Requests, StartOptions, StoreDescription } from "../messages.ts";
import { ENDPOINT_ID, ENVIRONMENT, KEYS } from "../messages.ts";
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

type Server = {
  readonly listener: RequestListener;
  /** Runs due jobs and scheduled tasks. */
  startWork(): void;
  readonly checkout: CheckoutServer;
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly clock: MovableClock;
  readonly steps: Steps;
  readonly stores: Readonly<Record<string, StoreAdapter>>;
  readonly endpoint: { readonly id: string; readonly url: string };
};

async function start(options: StartOptions): Promise<void> {
  const server = await openServer(options);
  process.on("message", (message) => void handle(server, message as RequestMessage));
  if (options.role !== "server") server.startWork();
  send({ kind: "serving", port: options.role === "worker" ? 0 : await listen(server.listener) });
}

async function openServer(options: StartOptions): Promise<Server> {
  const clock = createMovableClock(options.clockOffsetMs);
  const file = options.ledgerUrl.replace(/^sqlite:/, "");
  const steps = createSteps(
    options.crashPoint,
    options.durableFile === null ? null : { wal: `${file}-wal`, record: options.durableFile },
    options.freezePoint === null ? null : createFreezer(options.freezePoint, clock),
  );
  const ledger = steps.ledger(await openLedger(options.ledgerUrl, { secretKeys: KEYS }));
  const parts = { options, clock, steps, ledger };
  const { stores } = options;
  return stores === "self-service" ? await openSelfService(parts) : openListedStores(parts, stores);
}

type Parts = Pick<Server, "clock" | "steps" | "ledger"> & { readonly options: StartOptions };

function openListedStores({ options, ...parts }: Parts, descriptions: readonly StoreDescription[]): Server {
  const { clock, steps, ledger } = parts;
  const stores = Object.fromEntries(
    descriptions.map((description) => [description.storeId, steps.store(shopOverHttp(description, options.shopUrl))]),
  );
  const { baseUrl, apiKey, webhookSecret } = options.service;
  const checkout = createCheckoutServer({
    publicUrl: options.publicUrl,
    keys: KEYS,
    ledger,
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
  const listener = checkout.listener(express().use(checkout.router));
  return { ...parts, checkout, engine: checkout.engine, stores, endpoint, listener, startWork: checkout.startTimer };
}

/** The checkout server of WordPress shops, which only these cases load. */
async function openSelfService({ options, ...parts }: Parts): Promise<Server> {
  const { createWooCommerceServer } = await import("@tillkit/woocommerce");
  const { checkout, listener, start } = await createWooCommerceServer(
    {
      publicUrl: options.publicUrl,
      database: "given",
      keys: [...KEYS],
      service: { baseUrl: options.service.baseUrl },
      operators: { tokens: ["the token of operators whose processes are killed"] },
      stores: "self-service",
      admission: "invitation",
    },
    { ledger: parts.ledger, clock: parts.clock, log: stderrLines },
  );
  parts.steps.watchRequests();
  const endpoint = { id: ENDPOINT_ID, url: "" };
  return { ...parts, checkout, engine: checkout.engine, stores: {}, endpoint, listener, startWork: start };
}

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
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
  invite: async ({ ledger, clock }) => await createInvitations(ledger.records, clock).create(),
  paymentsOfOrder: async ({ ledger }, ref) => await ledger.paymentsOfOrder(ref),
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
