import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { signWebhook } from "@tillkit/client/webhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { POST } from "../src/api/tillkit/webhooks/[endpointId]/route.ts";
import { takeWebhook } from "../src/webhooks/take-webhook.ts";
import { openWorld, WEBHOOK_SECRET, type World } from "./world.ts";

let world: World;
let server: Server;
let url: string;

beforeEach(async () => {
  world = await openWorld();
  const till = await world.till();
  server = createServer(async (request, response) => {
    const answer = await takeWebhook(till, request, (request.url ?? "").split("/").at(-1) ?? "");
    if (answer) response.writeHead(answer.status).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tillkit/webhooks/medusa`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await world.close();
});

async function deliver(body: string, headers: Record<string, string> = {}, to = url): Promise<number> {
  const signature = signWebhook(Buffer.from(body), WEBHOOK_SECRET);
  const response = await fetch(to, { method: "POST", body, headers: { "x-service-signature": signature, ...headers } });
  return response.status;
}

const succeeded = (sessionId: unknown, id = "evt_1", more: object = {}) =>
  JSON.stringify({ id, event: "PAYMENT_SUCCEEDED", data: { checkout_session_id: sessionId, ...more } });

const deliveries = async () => (await (await world.till()).ledger.listDeliveries({ limit: 50 })).rows;

describe("a webhook of the service", () => {
  it("makes the order, ten times over one order and one capture, each with a fresh id", async () => {
    const { session } = await world.beginCheckout();
    await world.pay(session);
    const many = Array.from({ length: 10 }, (_, index) =>
      deliver(succeeded(session.data.checkout_session_id, `evt_${index}`)),
    );
    expect(await Promise.all(many)).toEqual(Array(10).fill(200));
    await world.workUntil(async () => (await deliveries()).every(({ outcome }) => outcome === "processed"));
    const { orders, payments } = world.medusa.shop;
    expect([orders.length, payments.map(({ captures }) => captures)]).toEqual([1, [1]]);
  });

  it("is kept before it is answered, and says nothing by itself", async () => {
    const { session } = await world.beginCheckout();
    expect(await deliver(succeeded(session.data.checkout_session_id))).toBe(200);
    expect(await deliveries()).toMatchObject([{ outcome: null }]);
    await world.workUntil(async () => (await deliveries())[0]?.outcome === "processed");
    expect(world.medusa.shop.orders).toEqual([]);
    expect((await world.payment(session)).state).toBe("open");
  });

  it("with a forged signature is refused for good, and leaves nothing", async () => {
    const { session } = await world.beginCheckout();
    const body = succeeded(session.data.checkout_session_id);
    expect(await deliver(body, { "x-service-signature": signWebhook(Buffer.from(body), "whsec_forged") })).toBe(401);
    expect(await deliver(body, { "x-service-signature": "" })).toBe(401);
    expect(await deliveries()).toEqual([]);
  });

  it("of 150 KB is taken, one of 300 KB is not", async () => {
    const { session } = await world.beginCheckout();
    await world.pay(session);
    const { checkout_session_id: id } = session.data;
    expect(await deliver(succeeded(id, "evt_big", { note: "x".repeat(150 * 1024) }))).toBe(200);
    expect(await deliver(succeeded(id, "evt_huge", { note: "x".repeat(300 * 1024) }))).toBe(413);
    await world.workUntil(() => world.medusa.shop.orders.length === 1);
  });

  it("about another channel on the same key is counted and never touched", async () => {
    expect(await deliver(succeeded("00000000-0000-4000-8000-000000000000"))).toBe(200);
    await world.workUntil(async () => (await deliveries())[0]?.outcome === "unrelated");
    expect(world.medusa.asked).toEqual({});
  });

  it("is to come again, 503, while our tables take nothing, and makes the order then", async () => {
    const { session } = await world.beginCheckout();
    await world.pay(session);
    const { ledger } = (await world.till()).engine;
    const { receive } = ledger;
    ledger.receive = async () => {
      throw new Error("No space left on device.");
    };
    const body = succeeded(session.data.checkout_session_id);
    expect(await deliver(body)).toBe(503);
    ledger.receive = receive;
    expect(await deliver(body)).toBe(200);
    await world.workUntil(() => world.medusa.shop.orders.length === 1);
  });

  it("is to come again when Medusa cannot reach the tables at all, or a parser took its body first", async () => {
    const answered = async (till: () => Promise<unknown>, request: object) => {
      const answer = { status: 0 };
      const response = {
        status(code: number) {
          answer.status = code;
          return response;
        },
        set: () => response,
        json() {},
      };
      const scope = { resolve: () => ({ till }) };
      const asked = { scope, params: { endpointId: "medusa" }, ...request };
      await POST(asked as unknown as MedusaRequest, response as unknown as MedusaResponse);
      return answer.status;
    };
    expect(await answered(() => Promise.reject(new Error("ECONNREFUSED")), {})).toBe(503);
    const headersDistinct = { "x-service-signature": ["sha256=00"] };
    expect(await answered(() => world.till(), { headersDistinct, readableDidRead: true })).toBe(503);
  });

  it("for an endpoint that is not ours is told so", async () => {
    expect(await deliver("{}", {}, url.replace(/medusa$/, "other"))).toBe(404);
  });
});

describe("Medusa's own webhook route", () => {
  const stock = (body: string, signature: string) =>
    world.provider.getWebhookActionAndData({
      data: JSON.parse(body),
      rawData: Buffer.from(body),
      headers: { "x-service-signature": signature },
    });

  it("says captured, with the session's whole amount, when the service shows the payment", async () => {
    const { session } = await world.beginCheckout();
    await world.pay(session);
    const body = succeeded(session.data.checkout_session_id, "evt_1", { amount: 1 });
    const signature = signWebhook(Buffer.from(body), WEBHOOK_SECRET);
    expect(await stock(body, signature)).toEqual({
      action: "captured",
      data: { session_id: session.id, amount: 22.8 },
    });
  });

  it("believes neither a forged signature nor an event before its payment", async () => {
    const { session } = await world.beginCheckout();
    const body = succeeded(session.data.checkout_session_id);
    expect(await stock(body, "forged")).toEqual({ action: "not_supported" });
    expect(await stock(body, signWebhook(Buffer.from(body), WEBHOOK_SECRET))).toEqual({ action: "not_supported" });
  });
});
