import { createHash } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { signWebhook } from "@tillkit/client/webhooks";
import type { LogFields, StoreAdapter } from "@tillkit/core";
import { createMemoryLedger, type MemoryLedger } from "@tillkit/core/memory";
import { type CheckoutServer, createCheckoutServer } from "@tillkit/server";
import { createApp, defineEventHandler, readBody, toNodeListener } from "h3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mountOnFastify } from "../src/fastify.ts";
import { mountOnHono } from "../src/hono.ts";
import { routeHandlersForNext } from "../src/next.ts";
import { eventHandlerForNitro } from "../src/nitro.ts";
import { serverRouteForSvelteKit } from "../src/sveltekit.ts";

const SECRET = "whsec_of_the_hosts";
/** A byte order mark, a brace, a Windows line end, two bytes that are no UTF-8, a zero, and then every byte. */
const BYTES = Buffer.from([
  0xef,
  0xbb,
  0xbf,
  0x7b,
  0x0d,
  0x0a,
  0xff,
  0xfe,
  0x00,
  ...Array.from({ length: 256 }, (_, byte) => byte),
]);
const JSON_BYTES = Buffer.from('{"type": "PAYMENT_SUCCEEDED", "n": 1.0}');

type Send = (path: string, init?: RequestInit) => Promise<Response>;
type Host = { readonly send: Send; close(): Promise<void> };

let ledger: MemoryLedger;
let checkout: CheckoutServer;
let logged: { message: string; fields: LogFields }[];
const hosts: Host[] = [];

beforeEach(() => {
  ledger = createMemoryLedger();
  logged = [];
  checkout = createCheckoutServer({
    publicUrl: "http://127.0.0.1/checkout",
    keys: ["the key of this test, long enough to sign links"],
    ledger,
    stores: { shop: unusedStore },
    credentials: [
      {
        storeIds: ["shop"],
        apiKey: "svc_sk_test_0123456789abcdefghijklmnopqrstuv",
        baseUrl: "http://127.0.0.1:9",
        endpointId: "shop",
        webhookSecrets: [SECRET],
      },
    ],
    log: { info: record, warn: record, error: record },
  });
});

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  await checkout.close();
});

const mounts: [name: string, open: () => Promise<Host>][] = [
  [
    "Hono",
    () => serve(createAdaptorServer({ fetch: mountOnHono(checkout).fetch, overrideGlobalObjects: false }) as Server),
  ],
  ["Fastify", () => serveFastify(mountOnFastify(checkout))],
  [
    "Next.js",
    async () => hostOfRoute((request) => routeHandlersForNext(checkout)[request.method as "GET" | "POST"](request)),
  ],
  [
    "SvelteKit",
    async () =>
      hostOfRoute((request) =>
        serverRouteForSvelteKit(checkout).fallback({ request, getClientAddress: () => "203.0.113.7" }),
      ),
  ],
  ["Nitro", () => serveNode(toNodeListener(createApp().use("/", eventHandlerForNitro(checkout))))],
];

describe.each(mounts)("the checkout on %s", (_name, openHost) => {
  test("a webhook's bytes arrive exactly and are stored before the answer", async () => {
    const { send } = await open(openHost);
    const answer = await send("/checkout/hooks/service/shop", delivery(BYTES));
    expect([answer.status, await answer.json()]).toMatchObject([200, { code: "received" }]);
    const stored = await ledger.delivery("shop", createHash("sha256").update(BYTES).digest("hex"));
    expect(Buffer.from(stored?.bytes ?? []).equals(BYTES)).toBe(true);
  });

  test("a webhook with a wrong signature is refused", async () => {
    const { send } = await open(openHost);
    const answer = await send("/checkout/hooks/service/shop", { ...delivery(BYTES), body: new Uint8Array(JSON_BYTES) });
    expect(answer.status).toBe(401);
  });

  test("health and the pages for shoppers are served", async () => {
    const { send } = await open(openHost);
    expect((await send("/checkout/healthz")).status).toBe(200);
    const page = await send("/checkout/return/not-a-token");
    expect([page.status, page.headers.get("content-type")]).toEqual([404, expect.stringContaining("text/html")]);
  });
});

const parsersInFront: [name: string, open: () => Promise<Host>][] = [
  [
    "Hono with a middleware that reads the body",
    async () => {
      const { Hono } = await import("hono");
      const app = new Hono();
      app.use(async (context, next) => {
        await context.req.json();
        await next();
      });
      app.route("/", mountOnHono(checkout));
      return await serve(createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server);
    },
  ],
  [
    "Next.js with a handler that reads the body",
    async () =>
      hostOfRoute(async (request) => {
        await request.json();
        return await routeHandlersForNext(checkout).POST(request);
      }),
  ],
];

describe.each(parsersInFront)("%s", (_name, openHost) => {
  test("the webhook is answered 503, nothing is stored, and the log says how to mount the checkout", async () => {
    const { send } = await open(openHost);
    const answer = await send("/checkout/hooks/service/shop", delivery(JSON_BYTES));
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "body_already_read" }]);
    expect(logged.find(({ message }) => message === "webhook.body_already_read")?.fields.fix).toContain(
      "checkout.fetch",
    );
    expect(await ledger.delivery("shop", createHash("sha256").update(JSON_BYTES).digest("hex"))).toBeNull();
  });
});

function delivery(bytes: Buffer): RequestInit {
  const headers = { "content-type": "application/json", "x-service-signature": signWebhook(bytes, SECRET) };
  return { method: "POST", headers, body: new Uint8Array(bytes) };
}

test("on Nitro a webhook keeps its exact bytes even after a middleware has read the body", async () => {
  const { send } = await open(() => {
    const app = createApp();
    app.use(defineEventHandler(async (event) => void (await readBody(event))));
    return serveNode(toNodeListener(app.use("/", eventHandlerForNitro(checkout))));
  });
  expect((await send("/checkout/hooks/service/shop", delivery(JSON_BYTES))).status).toBe(200);
  const stored = await ledger.delivery("shop", createHash("sha256").update(JSON_BYTES).digest("hex"));
  expect(Buffer.from(stored?.bytes ?? []).equals(JSON_BYTES)).toBe(true);
});

async function open(openHost: () => Promise<Host>): Promise<Host> {
  const host = await openHost();
  hosts.push(host);
  return host;
}

/** Stands in for a framework: calls its route function with a Request, as the framework would. */
function hostOfRoute(handle: (request: Request) => Promise<Response>): Host {
  return { send: (path, init) => handle(new Request(`http://127.0.0.1${path}`, init)), close: async () => {} };
}

async function serveFastify(app: ReturnType<typeof mountOnFastify>): Promise<Host> {
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { send: (path, init) => fetch(`${url}${path}`, init), close: () => app.close() };
}

function serveNode(listener: RequestListener): Promise<Host> {
  return serve(createServer(listener));
}

async function serve(server: Server): Promise<Host> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    send: (path, init) => fetch(`${url}${path}`, init),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function record(message: string, fields: LogFields = {}): void {
  logged.push({ message, fields });
}

/** No test calls this store. */
const unusedStore: StoreAdapter = {
  platform: "unused",
  writes: { kind: "conditional" },
  findOrder: async () => null,
  markPaid: async () => ({ outcome: "gone" }),
  holdForReview: async () => {},
  shopperUrl: async () => "https://shop.example/",
};
