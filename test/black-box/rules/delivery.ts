import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { anId, aTime } from "../answer.ts";
import { openListeningShop, waitForLogs } from "../listening-shop.ts";
import { sleep } from "../receiver.ts";
import { second, startService } from "../service.ts";
import { paidSession } from "../steps.ts";

describe("Delivery", () => {
  const service = startService();

  it("a delivery is a POST of JSON with event name, signature and user agent, without any key", async () => {
    const shop = await openListeningShop(service);
    await paidSession(service, shop.call);
    const [delivery] = await shop.receiver.wait(1);
    expect(delivery?.headers).toMatchObject({
      "content-type": expect.stringMatching(/^application\/json/),
      "x-service-event": "PAYMENT_SUCCEEDED",
      "user-agent": "Service-Webhook/1.0",
      "x-service-signature": expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(delivery?.headers).not.toHaveProperty("authorization");
    expect(delivery?.headers).not.toHaveProperty("x-api-key");
  });

  it("a delivery is signed by a hex HMAC-SHA256 of the raw body with the whole whsec_ string as key", async () => {
    const shop = await openListeningShop(service);
    await paidSession(service, shop.call, { title: "Commande n° 1042 – pagne 🧵" });
    const [delivery] = await shop.receiver.wait(1);
    const signature = createHmac("sha256", shop.secret)
      .update(delivery?.raw ?? "")
      .digest("hex");
    expect(delivery?.headers["x-service-signature"]).toBe(signature);
  });

  it("a test event carries X-Service-Timestamp, equal to the body's timestamp", async () => {
    const shop = await openListeningShop(service);
    await shop.call("POST /webhooks/{id}/test", { params: { id: shop.id } });
    const [delivery] = await shop.receiver.wait(1);
    expect(delivery?.headers["x-service-timestamp"]).toBe(delivery?.body.timestamp);
  });

  it("other events carry X-Service-Timestamp when timestampHeader is on", async () => {
    const shop = await openListeningShop(service);
    await service.withSettings({ timestampHeader: true }, async () => {
      await paidSession(service, shop.call);
      await shop.receiver.wait(1);
    });
    const [delivery] = shop.receiver.deliveries;
    expect(delivery?.headers["x-service-timestamp"]).toBe(delivery?.body.timestamp);
  });

  it("each delivery attempt writes one log", async () => {
    const shop = await openListeningShop(service);
    shop.receiver.setBody("x".repeat(5000));
    await paidSession(service, shop.call);
    const [delivery] = await shop.receiver.wait(1);
    const [log = {}] = await waitForLogs(shop, 1);
    expect(log).toMatchObject({
      id: anId,
      log_id: log.id,
      webhook_id: shop.id,
      organization_id: shop.organizationId,
      event_type: "PAYMENT_SUCCEEDED",
      event_id: delivery?.body.id,
      response_status: 200,
      attempt_number: 1,
      success: true,
      error: null,
      created_at: aTime,
      request_duration_ms: expect.any(Number),
      user_agent: "Service-Webhook/1.0",
      response_body: "x".repeat(4096),
      headers: expect.any(Object),
    });
    expect(log).toHaveProperty("ip_address");
    const payload = typeof log.payload === "string" ? JSON.parse(log.payload) : log.payload;
    expect(payload).toEqual(delivery?.body);
  });

  it.each([200, 201, 204, 299])("a delivery that is answered %d counts as delivered", async (status) => {
    const shop = await openListeningShop(service);
    shop.receiver.answer(status);
    await paidSession(service, shop.call);
    const [log] = await waitForLogs(shop, 1);
    expect(log).toMatchObject({ success: true, response_status: status });
    await service.advance(60 * second);
    expect(await shop.receiver.waitBriefly()).toHaveLength(1);
  });

  it.each([400, 401, 404, 408, 410, 429])("a delivery that is answered %d is not retried", async (status) => {
    const shop = await openListeningShop(service);
    shop.receiver.answer(status);
    await paidSession(service, shop.call);
    const [log] = await waitForLogs(shop, 1);
    expect(log).toMatchObject({ success: false, response_status: status, error: null });
    await service.advance(60 * second);
    expect(await shop.receiver.waitBriefly()).toHaveLength(1);
  });

  it.each([
    [500, { response_status: 500 }],
    [503, { response_status: 503 }],
    [302, { response_status: 302 }],
    ["reset", { response_status: null, error: "network_error" }],
  ] as const)("a delivery that is answered %s is retried", async (behaviour, log) => {
    const shop = await openListeningShop(service);
    shop.receiver.answer(behaviour, 200);
    await paidSession(service, shop.call);
    expect((await waitForLogs(shop, 1))[0]).toMatchObject({ success: false, attempt_number: 1, ...log });
    await service.advance(5 * second);
    await shop.receiver.wait(2);
    expect((await waitForLogs(shop, 2))[0]).toMatchObject({ success: true, attempt_number: 2 });
  });

  it("an answer that takes longer than about 4 seconds is a timeout and is retried", async () => {
    const shop = await openListeningShop(service);
    shop.receiver.answer("hold", 200);
    const started = Date.now();
    await paidSession(service, shop.call);
    await shop.receiver.wait(1);
    const [log] = await waitForLogs(shop, 1);
    expect(Date.now() - started).toBeGreaterThanOrEqual(3_500);
    expect((await service.control("GET /settings")).body).toMatchObject({ delivery: { timeoutMs: 4_000 } });
    expect(log).toMatchObject({ success: false, response_status: null, error: "timeout" });
    await service.advance(5 * second);
    await shop.receiver.wait(2);
  });

  it("five attempts are made, 5, 10, 20 and 40 seconds apart, and no more", async () => {
    const shop = await openListeningShop(service);
    shop.receiver.answer(500);
    await paidSession(service, shop.call);
    await waitForLogs(shop, 1);
    for (const [index, seconds] of [5, 10, 20, 40].entries()) {
      await service.advance((seconds - 1) * second);
      await sleep(20);
      expect(shop.receiver.deliveries).toHaveLength(index + 1);
      await service.advance(second);
      await waitForLogs(shop, index + 2);
    }
    await service.advance(3600 * second);
    expect(await shop.receiver.waitBriefly()).toHaveLength(5);
    expect((await waitForLogs(shop, 5)).map((log) => log.attempt_number)).toEqual([5, 4, 3, 2, 1]);
  });

  it("a retry keeps the event id and rebuilds the timestamp, so body and signature differ", async () => {
    const shop = await openListeningShop(service);
    shop.receiver.answer(500, 200);
    await paidSession(service, shop.call);
    await waitForLogs(shop, 1);
    await service.advance(5 * second);
    const [first, again] = await shop.receiver.wait(2);
    expect(again?.body.id).toBe(first?.body.id);
    expect(again?.body.timestamp).not.toBe(first?.body.timestamp);
    expect(again?.headers["x-service-signature"]).not.toBe(first?.headers["x-service-signature"]);
    expect(again?.body.data).toEqual(first?.body.data);
  });

  it("no further attempt is made after the endpoint was deleted", async () => {
    const shop = await openListeningShop(service);
    shop.receiver.answer(500);
    await paidSession(service, shop.call);
    await waitForLogs(shop, 1);
    await shop.call("DELETE /webhooks/{id}", { params: { id: shop.id } });
    await service.advance(60 * second);
    expect(await shop.receiver.waitBriefly()).toHaveLength(1);
  });
});
