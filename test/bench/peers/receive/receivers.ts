import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import type { StoreAdapter } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createCheckoutServer } from "@tillkit/server";
import { loadPeer } from "../harness/contender.ts";
import { ENDPOINT, SECRET } from "./signed-events.ts";

/** Receivers that verify and parse each event. Only ours keeps it before it answers. */
export const receivers: Readonly<Record<string, (ledgerUrl: string) => Promise<RequestListener>>> = {
  ours: openOurs,
  bare: async () => bareReceiver,
  fastify: openFastify,
  express: async () => expressWithStripe(),
};

const ANSWER = '{"received":true}';

async function openOurs(ledgerUrl: string): Promise<RequestListener> {
  const checkout = createCheckoutServer({
    publicUrl: "https://shop.example",
    keys: ["a key of the benchmark, made up for this run"],
    ledger: await openLedger(ledgerUrl),
    stores: { boutique: noStore },
    credentials: [
      {
        storeIds: ["boutique"],
        apiKey: "svc_sk_test_9f8e7d6c5b4a39281706f5e4d3c2b1a0",
        baseUrl: "http://127.0.0.1:9/v1",
        endpointId: ENDPOINT,
        webhookSecrets: [SECRET],
      },
    ],
  });
  return checkout.listener((_request, response) => response.writeHead(404).end());
}

/** No job runs in a receiver, so that no store is asked. */
const noStore: StoreAdapter = {
  platform: "none",
  writes: { kind: "conditional" },
  findOrder: async () => null,
  markPaid: async () => ({ outcome: "gone" }),
  holdForReview: async () => {},
  shopperUrl: async () => "https://shop.example/",
};

const bareReceiver: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const bytes = Buffer.concat(chunks);
    const isSigned = isSignedBy(bytes, request.headers);
    if (isSigned) JSON.parse(bytes.toString());
    const headers = { "Content-Type": "application/json", "Content-Length": ANSWER.length };
    response.writeHead(isSigned ? 200 : 401, headers).end(ANSWER);
  });
};

function isSignedBy(bytes: Buffer, headers: IncomingHttpHeaders): boolean {
  const expected = createHmac("sha256", SECRET).update(bytes).digest();
  const sent = Buffer.from(String(headers["x-service-signature"]), "hex");
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

type FastifyReply = { code(status: number): FastifyReply; header(name: string, value: string): FastifyReply };
type Fastify = {
  addContentTypeParser(
    type: string,
    options: { parseAs: "buffer" },
    parse: (request: unknown, body: Buffer, done: (error: null, body: Buffer) => void) => void,
  ): void;
  post(
    path: string,
    handle: (request: { body: Buffer; headers: IncomingHttpHeaders }, reply: FastifyReply) => Promise<string>,
  ): void;
  ready(): Promise<void>;
  readonly routing: RequestListener;
};

async function openFastify(): Promise<RequestListener> {
  const app = loadPeer<() => Fastify>("fastify")();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.post("/hooks/service/:endpoint", async ({ body, headers }, reply) => {
    const isSigned = isSignedBy(body, headers);
    if (isSigned) JSON.parse(body.toString());
    reply.code(isSigned ? 200 : 401).header("content-type", "application/json");
    return ANSWER;
  });
  await app.ready();
  return app.routing;
}

type Express = (() => { post(path: string, ...handlers: unknown[]): void } & RequestListener) & {
  raw(options: { type: string }): unknown;
};
type Stripe = new (
  key: string,
) => { webhooks: { constructEvent(body: Buffer, signature: string | undefined, secret: string): unknown } };

function expressWithStripe(): RequestListener {
  const express = loadPeer<Express>("express");
  const { webhooks } = new (loadPeer<Stripe>("stripe"))("sk_test_of_the_benchmark");
  const app = express();
  type Request = { body: Buffer; headers: { "stripe-signature"?: string } };
  type Response = { json(body: unknown): void };
  app.post(
    "/hooks/service/:endpoint",
    express.raw({ type: "*/*" }),
    ({ body, headers }: Request, response: Response) => {
      webhooks.constructEvent(body, headers["stripe-signature"], SECRET);
      response.json({ received: true });
    },
  );
  return app;
}
