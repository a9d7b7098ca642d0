import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { signWebhook } from "@tillkit/client/webhooks";
import express, { type RequestHandler } from "express";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type FixtureOptions,
  loggedSecrets,
  type MerchantFixture,
  openMerchant,
  WEBHOOK_SECRET,
} from "./fixtures/merchant.ts";
import { rawRequest } from "./fixtures/raw-request.ts";
import { openSmallShop } from "./fixtures/small-shop.ts";

const PATH = "/hooks/service/boutique-test";

let merchant: MerchantFixture;
beforeEach(() => open());
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

async function open(options: FixtureOptions = {}): Promise<void> {
  await merchant?.close();
  merchant = await openMerchant(options);
}

function eventOf(paymentReference: string, id = "evt-1"): string {
  const metadata = { tillkit_reference: paymentReference };
  return JSON.stringify({
    id,
    event: "PAYMENT_SUCCEEDED",
    data: { metadata, status: "completed", environment: "test" },
  });
}

/** `signature` replaces the valid signature. */
type Delivery = { signature?: string; path?: string };

function deliver(body: string | Buffer, { signature, path = PATH }: Delivery = {}): Promise<Response> {
  const bytes = Buffer.from(body);
  return fetch(`${merchant.url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-service-signature": signature ?? signWebhook(bytes, WEBHOOK_SECRET),
    },
    body: bytes,
  });
}

/** Completes the newest session of the service. Returns the payment's reference, which the service sends in its events. */
function completeNewestSession(): string {
  const session = merchant.service.newest();
  session.status = "completed";
  return String((session.body.metadata as Record<string, unknown>).tillkit_reference);
}

/** A stored delivery has a job, so without jobs nothing was stored. */
async function expectNothingStored(): Promise<void> {
  expect(await merchant.ledger.nextDueAt()).toBeNull();
}

describe("a delivery of the service", () => {
  test("a delivery is stored byte for byte before it is answered", async () => {
    const body = '{ "id":"evt-1",  "event":"PAYMENT_SUCCEEDED","data":{"x":1.0} }';
    const answer = await deliver(body);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ code: "received", message: expect.any(String) });
    const jobs = await merchant.ledger.claim({ worker: "test", now: merchant.clock.now(), leaseMs: 1_000, limit: 10 });
    const { digest } = JSON.parse(jobs[0]?.payload ?? "{}") as { digest: string };
    const delivery = await merchant.ledger.delivery("boutique-test", digest);
    expect(Buffer.from(delivery?.bytes ?? []).toString()).toBe(body);
  });

  test("a delivery gets the order paid at once, without waiting for the timer's next round", async () => {
    const { paymentId } = await merchant.startPayment();
    merchant.checkout.startTimer();
    await merchant.clock.advance(0);
    const reference = completeNewestSession();
    expect((await deliver(eventOf(reference))).status).toBe(200);
    await expect.poll(() => merchant.shop.writes).toEqual([`paid by ${paymentId}`]);
  });

  test("a delivery that comes ten times pays the order once", async () => {
    await merchant.startPayment();
    merchant.checkout.startTimer();
    const reference = completeNewestSession();
    const events = Array.from({ length: 10 }, (_, index) => eventOf(reference, `evt-${index % 3}`));
    const answers = await Promise.all(events.map((event) => deliver(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await expect.poll(() => merchant.shop.writes.length).toBe(1);
    await merchant.clock.advance(60_000);
    expect(merchant.shop.writes).toHaveLength(1);
  });

  test("a delivery may arrive in chunks", async () => {
    const body = Buffer.from('{"id":"evt-1","event":"test.webhook"}');
    const answer = await rawRequest(merchant.url, [
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Service-Signature: ${signWebhook(body, WEBHOOK_SECRET)}\r\n`,
      "Transfer-Encoding: chunked\r\n\r\n",
      `10\r\n${body.subarray(0, 16)}\r\n`,
      `${(body.length - 16).toString(16)}\r\n${body.subarray(16)}\r\n0\r\n\r\n`,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("the webhook route is found under the path of the public URL and at the root", async () => {
    await open({ basePath: "/pay-desk" });
    expect((await deliver("{}")).status).toBe(200);
    const atTheRoot = await fetch(new URL(PATH, merchant.url), { method: "POST", body: "{}" });
    expect(atTheRoot.status).toBe(401);
  });
});

describe("the signature of a delivery", () => {
  test.each([
    ["a wrong signature", "0".repeat(64)],
    ["half a signature", "0".repeat(63)],
    ["an empty signature", ""],
    ["words in place of a signature", "yes, it is me"],
  ])("a delivery with %s is refused and not stored", async (_what, signature) => {
    const answer = await deliver("{}", { signature });
    expect(answer.status).toBe(401);
    await expectNothingStored();
  });

  test("a delivery without a signature is refused with an error code of its own", async () => {
    const answer = await fetch(`${merchant.url}${PATH}`, { method: "POST", body: "{}" });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "signature_missing" });
  });

  test("a delivery with two signature headers is refused, even when one of them is valid", async () => {
    const valid = signWebhook(Buffer.from("{}"), WEBHOOK_SECRET);
    for (const signatures of [
      [valid, "0".repeat(64)],
      ["0".repeat(64), valid],
      [valid, valid],
    ]) {
      const headers = signatures.map((signature) => `X-Service-Signature: ${signature}\r\n`).join("");
      const answer = await rawRequest(merchant.url, [
        `POST ${PATH} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: 2\r\n\r\n{}`,
      ]);
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer).toContain("signature_repeated");
    }
    await expectNothingStored();
  });

  test("a delivery with two signatures in one header is accepted while a secret is rotated", async () => {
    const valid = signWebhook(Buffer.from("{}"), WEBHOOK_SECRET);
    const old = signWebhook(Buffer.from("{}"), "whsec_before");
    expect((await deliver("{}", { signature: `${old},${valid}` })).status).toBe(200);
  });

  test("a delivery whose bytes were changed after signing is refused", async () => {
    const signature = signWebhook(Buffer.from('{"amount":1}'), WEBHOOK_SECRET);
    expect((await deliver('{"amount": 1}', { signature })).status).toBe(401);
  });

  test("a delivery signed with the secret of another endpoint of the same server is refused", async () => {
    const credential = (storeId: string, apiKey: string, webhookSecret: string) => ({
      storeIds: [storeId],
      apiKey,
      baseUrl: merchant.service.baseUrl,
      endpointId: `${storeId}-test`,
      webhookSecrets: [webhookSecret],
    });
    const other = await openMerchant({
      otherShops: { marche: openSmallShop() },
      options: {
        credentials: [
          credential("boutique", `svc_sk_test_${"a".repeat(32)}`, WEBHOOK_SECRET),
          credential("marche", `svc_sk_test_${"b".repeat(32)}`, "whsec_of_the_market"),
        ],
      },
    });
    const body = '{"id":"evt-1","event":"PAYMENT_SUCCEEDED","data":{}}';
    const statusOf = async (endpointId: string, secret: string) => {
      const headers = { "X-Service-Signature": signWebhook(Buffer.from(body), secret) };
      return (await other.get(`/hooks/service/${endpointId}`, { method: "POST", body, headers })).status;
    };
    expect(await statusOf("boutique-test", WEBHOOK_SECRET)).toBe(200);
    expect(await statusOf("marche-test", "whsec_of_the_market")).toBe(200);
    expect(await statusOf("marche-test", WEBHOOK_SECRET)).toBe(401);
    expect(await statusOf("boutique-test", "whsec_of_the_market")).toBe(401);
    await other.close();
  });

  test("a flood of forged deliveries starts no round of the timer", async () => {
    let rounds = 0;
    const { claim } = merchant.ledger;
    merchant.ledger.claim = (request) => {
      rounds += 1;
      return claim(request);
    };
    merchant.checkout.startTimer();
    for (let forgery = 0; forgery < 10; forgery += 1) await deliver("{}", { signature: "0".repeat(64) });
    // `startTimer` itself starts the one round.
    expect(rounds).toBe(1);
    await deliver("{}");
    await expect.poll(() => rounds).toBeGreaterThan(1);
  });

  test("a delivery to an unknown endpoint is answered with 404", async () => {
    expect((await deliver("{}", { path: "/hooks/service/somebody-else" })).status).toBe(404);
    expect((await deliver("{}", { path: "/hooks/service/%E0%A4%A" })).status).toBe(404);
  });
});

describe("a delivery that is too large, too slow or cut off", () => {
  test("a delivery whose Content-Length exceeds 256 KB is refused without reading it", async () => {
    const answer = await rawRequest(merchant.url, [
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Service-Signature: ${"0".repeat(64)}\r\nContent-Length: ${256 * 1024 + 1}\r\n\r\n`,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("a chunked delivery is refused once it exceeds 256 KB", async () => {
    // A chunk begins with its length in hexadecimal.
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const answer = await rawRequest(merchant.url, [
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Service-Signature: ${"0".repeat(64)}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ...Array.from({ length: 5 }, () => chunk),
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain("body_too_large");
  });

  test("a delivery of exactly 256 KB is accepted", async () => {
    const body = JSON.stringify({ event: "test.webhook", filler: "" });
    const full = body.replace('""', `"${"x".repeat(256 * 1024 - body.length)}"`);
    expect(Buffer.byteLength(full)).toBe(256 * 1024);
    expect((await deliver(full)).status).toBe(200);
  });

  test("a slow delivery is refused with 503 after ten seconds and disconnected", async () => {
    const answering = rawRequest(merchant.url, [
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Service-Signature: ${"0".repeat(64)}\r\nContent-Length: 100\r\n\r\n{`,
    ]);
    await expect.poll(() => merchant.clock.nextWakeAt()).not.toBeNull();
    await merchant.clock.advance(10_000);
    expect(await answering).toMatch(/^HTTP\/1\.1 503 [\s\S]*body_too_slow/);
  });

  test("a sender that continues after a refusal is disconnected two seconds later", async () => {
    const { hostname, port } = new URL(merchant.url);
    const socket = connect(Number(port), hostname);
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => undefined);
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Service-Signature: a\r\nContent-Length: 99999999\r\n\r\nx`);
    await new Promise((resolve) => socket.once("data", resolve));
    await merchant.clock.advance(1_999);
    expect(socket.closed).toBe(false);
    await merchant.clock.advance(1);
    await closed;
  });

  test("a sender that disconnects in the middle of a delivery does no harm", async () => {
    const { hostname, port } = new URL(merchant.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Service-Signature: a\r\nContent-Length: 100\r\n\r\n{`);
    await expect.poll(() => merchant.clock.nextWakeAt()).not.toBeNull();
    socket.destroy();
    await expect.poll(() => merchant.clock.nextWakeAt()).toBeNull();
    expect((await deliver("{}")).status).toBe(200);
  });

  test.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])("a delivery by %s is answered with 405", async (method) => {
    const answer = await fetch(`${merchant.url}${PATH}`, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
  });
});

describe("when the merchant's own storage fails", () => {
  test("a delivery that cannot be stored is answered with 503", async () => {
    merchant.ledger.receive = () => Promise.reject(new Error("disk full at /var/secret"));
    const answer = await deliver("{}");
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain("/var/secret");
  });
});

describe("a body parser in front of the webhook route", () => {
  test("a body parser never reads a delivery when the Node server uses the listener", async () => {
    await open({
      host: (checkout, app) =>
        checkout.listener(app.use(express.json(), express.raw({ type: "*/*" }), checkout.router)),
    });
    expect((await deliver('{ "a": 1 }')).status).toBe(200);
  });

  test.each([
    ["Firebase, which reads first and keeps `rawBody`", keepRawBody],
    ["Nest with `rawBody: true`", express.json({ verify: keepVerified })],
    ["`express.raw()`, whose body is the bytes", express.raw({ type: "*/*" })],
  ])("a delivery is verified over the bytes that %s left on the request", async (_name, parser) => {
    await open({ host: (checkout, app) => app.use(parser, checkout.router) });
    expect((await deliver('{ "a": 1.0 }')).status).toBe(200);
    expect((await deliver('{ "a": 1.0 }', { signature: "0".repeat(64) })).status).toBe(401);
    expect((await deliver(`{"a":"${"x".repeat(300 * 1024)}"}`)).status).toBe(413);
    expect(merchant.lines.map(({ message }) => message)).not.toContain("webhook.body_already_read");
  });

  test("a delivery is verified on a host of cloud functions, whose request has neither a socket's bytes nor raw headers", async () => {
    await open({
      host: (checkout, app) => app.use(keepRawBody, withoutRawHeaders, checkout.router),
    });
    expect((await deliver('{ "a": 1.0 }')).status).toBe(200);
    expect((await deliver("{}", { signature: "0".repeat(64) })).status).toBe(401);
  });

  test("a JSON parser that keeps no bytes makes the service deliver again, and the log names the fix once", async () => {
    await open({ host: (checkout, app) => app.use(express.json(), checkout.router) });
    for (const body of ['{"a":1}', '{"a":2}']) {
      const answer = await deliver(body);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ code: "body_already_read" });
    }
    const logged = merchant.lines.filter(({ message }) => message === "webhook.body_already_read");
    expect(logged).toHaveLength(1);
    expect(logged[0]?.fields.fix).toContain("checkout.listener(app)");
    await expectNothingStored();
  });

  test("a body parser behind the router does no harm", async () => {
    await open({ host: (checkout, app) => app.use(checkout.router, express.json()) });
    expect((await deliver('{ "a": 1 }')).status).toBe(200);
    expect((await deliver("{}", { signature: "0".repeat(64) })).status).toBe(401);
    expect((await deliver("{}", { path: "/hooks/service/%E0%A4%A" })).status).toBe(404);
  });
});

/** As Firebase does before a function is called: the stream is read to its end, `body` is parsed and `rawBody` has the bytes. */
const keepRawBody: RequestHandler = (request, _response, next) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const rawBody = Buffer.concat(chunks);
    Object.assign(request, { rawBody, body: JSON.parse(rawBody.toString()) });
    next();
  });
};

function keepVerified(request: IncomingMessage, _response: ServerResponse, rawBody: Buffer): void {
  Object.assign(request, { rawBody });
}

const withoutRawHeaders: RequestHandler = (request, _response, next) => {
  request.rawHeaders = [];
  next();
};
