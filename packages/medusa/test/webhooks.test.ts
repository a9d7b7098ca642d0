import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { signWebhook } from "@tillkit/client/webhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { POST } from "../src/api/tillkit/webhooks/[endpointId]/route.ts";
import { type Fixture, openFixture, WEBHOOK_SECRET } from "./fixture.ts";

let fixture: Fixture;
let server: Server;
let url: string;

beforeEach(async () => {
  fixture = await openFixture();
  const runtime = await fixture.runtime();
  server = createServer(async (request, response) => {
    await runtime.handleWebhook(request, response, (request.url ?? "").split("/").at(-1) ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tillkit/webhooks/medusa`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await fixture.close();
});

async function deliver(body: string, headers: Record<string, string> = {}, to = url): Promise<number> {
  const signature = signWebhook(Buffer.from(body), WEBHOOK_SECRET);
  const response = await fetch(to, { method: "POST", body, headers: { "x-service-signature": signature, ...headers } });
  return response.status;
}

const succeededEvent = (sessionId: unknown, id = "evt_1", more: object = {}) =>
  JSON.stringify({ id, event: "PAYMENT_SUCCEEDED", data: { checkout_session_id: sessionId, ...more } });

const deliveries = async () => (await (await fixture.runtime()).ledger.listDeliveries({ limit: 50 })).rows;

describe("a webhook of the service", () => {
  it("ten webhooks with different ids make one order and one capture", async () => {
    const { session } = await fixture.startCheckout();
    await fixture.pay(session);
    const answers = Array.from({ length: 10 }, (_, index) =>
      deliver(succeededEvent(session.data.checkout_session_id, `evt_${index}`)),
    );
    expect(await Promise.all(answers)).toEqual(Array(10).fill(200));
    await fixture.runJobsUntil(async () => (await deliveries()).every(({ outcome }) => outcome === "processed"));
    const { orders, payments } = fixture.medusa.tables;
    expect([orders.length, payments.map(({ captures }) => captures)]).toEqual([1, [1]]);
  });

  it("a webhook is stored before the answer, and without a payment at the service it changes nothing", async () => {
    const { session } = await fixture.startCheckout();
    expect(await deliver(succeededEvent(session.data.checkout_session_id))).toBe(200);
    expect(await deliveries()).toMatchObject([{ outcome: null }]);
    await fixture.runJobsUntil(async () => (await deliveries())[0]?.outcome === "processed");
    expect(fixture.medusa.tables.orders).toEqual([]);
    expect((await fixture.payment(session)).state).toBe("open");
  });

  it("a webhook with a forged signature is answered 401 and not stored", async () => {
    const { session } = await fixture.startCheckout();
    const body = succeededEvent(session.data.checkout_session_id);
    expect(await deliver(body, { "x-service-signature": signWebhook(Buffer.from(body), "whsec_forged") })).toBe(401);
    expect(await deliver(body, { "x-service-signature": "" })).toBe(401);
    expect(await deliveries()).toEqual([]);
  });

  it("a webhook of 150 KB is accepted, and a webhook of 300 KB is rejected", async () => {
    const { session } = await fixture.startCheckout();
    await fixture.pay(session);
    const { checkout_session_id: id } = session.data;
    expect(await deliver(succeededEvent(id, "evt_big", { note: "x".repeat(150 * 1024) }))).toBe(200);
    expect(await deliver(succeededEvent(id, "evt_huge", { note: "x".repeat(300 * 1024) }))).toBe(413);
    await fixture.runJobsUntil(() => fixture.medusa.tables.orders.length === 1);
  });

  it("a webhook about a payment of another channel is stored as unrelated and changes nothing", async () => {
    expect(await deliver(succeededEvent("00000000-0000-4000-8000-000000000000"))).toBe(200);
    await fixture.runJobsUntil(async () => (await deliveries())[0]?.outcome === "unrelated");
    expect(fixture.medusa.providerCalls).toEqual({});
  });

  it("a webhook is answered 503 while it cannot be stored, and its repetition makes the order", async () => {
    const { session } = await fixture.startCheckout();
    await fixture.pay(session);
    const { ledger } = (await fixture.runtime()).engine;
    const { receive } = ledger;
    ledger.receive = async () => {
      throw new Error("No space left on device.");
    };
    const body = succeededEvent(session.data.checkout_session_id);
    expect(await deliver(body)).toBe(503);
    ledger.receive = receive;
    expect(await deliver(body)).toBe(200);
    await fixture.runJobsUntil(() => fixture.medusa.tables.orders.length === 1);
  });

  it("a webhook is answered 503 when the database is unreachable", async () => {
    const answer = { status: 0 };
    const response = {
      status(code: number) {
        answer.status = code;
        return response;
      },
      json() {},
    };
    const runtime = () => Promise.reject(new Error("ECONNREFUSED"));
    const request = { scope: { resolve: () => ({ runtime }) }, params: { endpointId: "medusa" } };
    await POST(request as unknown as MedusaRequest, response as unknown as MedusaResponse);
    expect(answer.status).toBe(503);
  });

  it("a webhook for an unknown endpoint is answered 404", async () => {
    expect(await deliver("{}", {}, url.replace(/medusa$/, "other"))).toBe(404);
  });
});

describe("Medusa's built-in webhook route", () => {
  const sendToBuiltInRoute = (body: string, signature: string) =>
    fixture.provider.getWebhookActionAndData({
      data: JSON.parse(body),
      rawData: Buffer.from(body),
      headers: { "x-service-signature": signature },
    });

  it("a webhook at the built-in route captures the full amount of a paid session", async () => {
    const { session } = await fixture.startCheckout();
    await fixture.pay(session);
    const body = succeededEvent(session.data.checkout_session_id, "evt_1", { amount: 1 });
    const signature = signWebhook(Buffer.from(body), WEBHOOK_SECRET);
    expect(await sendToBuiltInRoute(body, signature)).toEqual({
      action: "captured",
      data: { session_id: session.id, amount: 22.8 },
    });
  });

  it("a webhook at the built-in route is not supported with a forged signature or before the payment", async () => {
    const { session } = await fixture.startCheckout();
    const body = succeededEvent(session.data.checkout_session_id);
    expect(await sendToBuiltInRoute(body, "forged")).toEqual({ action: "not_supported" });
    expect(await sendToBuiltInRoute(body, signWebhook(Buffer.from(body), WEBHOOK_SECRET))).toEqual({
      action: "not_supported",
    });
  });
});
