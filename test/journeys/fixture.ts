import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { type Money, type Order, type Payment, runDue, verifyPayment } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { type CheckoutServer, createCheckoutServer } from "@tillkit/server";
import {
  type CallbackStore,
  createCallbackStore,
  createManualClock,
  createReadThenWriteStore,
  createWriteOnlyStore,
  type ManualClock,
  type MiniatureStore,
  type PlacedOrder,
} from "@tillkit/testkit";
import express from "express";
import { PATIENCE_MS } from "../waiting/patience.ts";

export const KINDS = ["callback", "read-then-write", "write-only"] as const;
export type Kind = (typeof KINDS)[number];

const KEYS = ["a key of the journeys that is long enough to sign with"] as const;
const EVENTS = [
  "PAYMENT_CREATED",
  "PAYMENT_SUCCEEDED",
  "PAYMENT_FAILED",
  "REFUND_CREATED",
  "REFUND_COMPLETED",
  "REFUND_FAILED",
] as const;
const FIVE_THOUSAND: Money = { minor: 5000, currency: "XOF" };

/** A shop, the checkout server and the service, connected over HTTP on this machine. */
export type JourneyFixture = {
  readonly store: MiniatureStore;
  readonly clock: ManualClock;
  readonly sandbox: Sandbox;
  readonly origin: string;
  readonly server: () => CheckoutServer;
  /** The server's log as one text. */
  readonly logged: () => string;
  placeOrder(total?: Money): Promise<PlacedOrder>;
  /** The shopper starts the checkout. */
  startCheckout(placed: PlacedOrder): Promise<StartedCheckout>;
  order(placed: PlacedOrder): Promise<Order>;
  payment(paymentId: string): Promise<Payment>;
  /** The control API of the sandbox. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  pay(checkout: StartedCheckout, how?: { method?: string; outcome?: string }): Promise<void>;
  /** Sends one request like a browser without cookies, without following redirects. */
  visit(url: string, headers?: Record<string, string>): Promise<Page>;
  /** Returns the link to which the hosted page sends the shopper. */
  returnLink(checkout: StartedCheckout): Promise<string>;
  cancelLink(checkout: StartedCheckout): Promise<string>;
  /** Advances the clock of the server, the store and the sandbox together. */
  advanceTime(ms: number): Promise<void>;
  /**
   * Repeats a check until it succeeds, and throws its last error. The clock advances meanwhile, because a worker that
   * finds an order locked retries two seconds later.
   */
  until<Value>(check: () => Value | Promise<Value>): Promise<Value>;
  /** Stops the server without cleanup and starts another on the same ledger. */
  restart(): Promise<void>;
  /** Disables the webhook endpoint. */
  disableWebhooks(): Promise<void>;
  close(): Promise<void>;
};

export type StartedCheckout = PlacedOrder & {
  readonly paymentId: string;
  readonly sessionId: string;
  readonly url: string;
};

export type Page = { readonly status: number; readonly location: string | null; readonly text: string };

export async function openFixture(kind: Kind): Promise<JourneyFixture> {
  const clock = createManualClock(Date.now());
  const [sandbox, ledger, http] = await Promise.all([createSandbox(), openLedger("sqlite::memory:"), listen()]);
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const apiKey = sandbox.keys.test.secret;
  const service = createServiceClient({ apiKey, baseUrl: sandbox.baseUrl });
  const endpoint = await service.webhooks.create({
    url: `${origin}/hooks/service/main`,
    authorized_events: [...EVENTS],
  });
  const log: unknown[] = [];
  const write = (message: string, fields?: unknown) => log.push([message, fields]);
  const store = openStore(kind, clock, ledger.records, (paymentId) => verifyPayment(server.engine, paymentId));
  const startServer = () =>
    createCheckoutServer({
      publicUrl: origin,
      keys: KEYS,
      ledger,
      stores: { [store.storeId]: store.adapter },
      credentials: [
        {
          storeIds: [store.storeId],
          apiKey,
          baseUrl: sandbox.baseUrl,
          endpointId: "main",
          webhookSecrets: [requireValue(endpoint.data.secret, "secret")],
        },
      ],
      clock,
      log: { info: write, warn: write, error: write },
    });
  let server = startServer();
  serve(http, server);
  server.startTimer();

  const fixture: JourneyFixture = {
    store,
    clock,
    sandbox,
    origin,
    server: () => server,
    logged: () => JSON.stringify(log),
    placeOrder: (total = FIVE_THOUSAND) => store.placeOrder({ total, title: "Panier d’été", language: "fr" }),
    order: async ({ ref, attempt }) => requireValue(await store.adapter.findOrder(ref, attempt), "order"),
    payment: async (id) => requireValue(await ledger.find({ id }), "payment"),
    async startCheckout(placed) {
      const start = await server.startCheckout(await fixture.order(placed));
      if (start.status !== "redirect") throw new Error(`Expected a page to pay on, got "${start.status}".`);
      if (kind === "callback") (store as CallbackStore).attachPayment(placed.ref.orderId, start.paymentId);
      const { session } = await fixture.payment(start.paymentId);
      return { ...placed, paymentId: start.paymentId, sessionId: requireValue(session, "session").id, url: start.url };
    },
    async control(method, path, body) {
      const response = await fetch(`${sandbox.controlUrl}/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
      return text === "" ? null : JSON.parse(text);
    },
    async pay({ sessionId }, { method = "wave", outcome = "completed" } = {}) {
      await fixture.control("POST", `checkout-sessions/${sessionId}/pay`, { method, outcome });
    },
    async visit(url, headers = {}) {
      const response = await fetch(url, { redirect: "manual", headers });
      return { status: response.status, location: response.headers.get("location"), text: await response.text() };
    },
    returnLink: (checkout) => linkOf(checkout, "success_url"),
    cancelLink: (checkout) => linkOf(checkout, "cancel_url"),
    async advanceTime(ms) {
      await fixture.control("POST", "clock", { advanceMs: ms });
      await clock.advance(ms);
    },
    async until(check) {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        try {
          return await check();
        } catch (error) {
          if (Date.now() > deadline) throw error;
          await new Promise((resolve) => setTimeout(resolve, 20));
          await clock.advance(100);
        }
      }
    },
    async restart() {
      await server.close();
      server = startServer();
      serve(http, server);
      server.startTimer();
    },
    async disableWebhooks() {
      await service.webhooks.update(requireValue(endpoint.data.id, "endpoint"), { is_active: false });
    },
    async close() {
      await server.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await sandbox.close();
      await ledger.close();
    },
  };

  async function linkOf({ sessionId }: StartedCheckout, name: "success_url" | "cancel_url"): Promise<string> {
    const { raw } = await service.checkoutSessions.read(sessionId);
    return String((raw as Record<string, unknown>)[name]);
  }
  return fixture;
}

/** Returns the URL of a route that the page links to. */
export function linkIn(page: string, route: string, base: string): string {
  const [link] = new RegExp(`\\.\\./${route}/[^"]+`).exec(page.replaceAll("&amp;", "&")) ?? [];
  if (link === undefined) throw new Error(`The page has no link to ${route}.`);
  return new URL(link, base).href;
}

/** Runs due jobs until none is left. */
export async function runAllDue(fixture: JourneyFixture): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    const { done, retried, dead } = await runDue(fixture.server().engine);
    if (done + retried + dead === 0) return;
  }
}

function openStore(
  kind: Kind,
  clock: ManualClock,
  records: Parameters<typeof createWriteOnlyStore>[0]["records"],
  authorize: Parameters<typeof createCallbackStore>[0]["authorize"],
): MiniatureStore {
  if (kind === "callback") return createCallbackStore({ clock, authorize });
  if (kind === "read-then-write") return createReadThenWriteStore({ clock });
  return createWriteOnlyStore({ clock, records });
}

function serve(http: Server, server: CheckoutServer): void {
  const app = express();
  app.use(server.router);
  http.removeAllListeners("request");
  http.on("request", server.listener(app));
}

async function listen(): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function requireValue<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Error(`There is no such ${what}.`);
  return value;
}
