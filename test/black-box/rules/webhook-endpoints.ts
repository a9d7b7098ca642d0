import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { aTime, expectInvalid, expectRefusal } from "../answer.ts";
import { hour, startService } from "../service.ts";
import { listen, openSession, paidSession, pay, paymentEvents } from "../steps.ts";

const url = "http://127.0.0.1:9/hooks";
// biome-ignore format: several names per line are easier to read
const allEvents = [
  "PAYMENT_CREATED", "PAYMENT_SUCCEEDED", "PAYMENT_FAILED", "SUBSCRIPTION_CREATED", "SUBSCRIPTION_UPDATED",
  "SUBSCRIPTION_RENEWED", "SUBSCRIPTION_CANCELLED", "REFUND_CREATED", "REFUND_COMPLETED", "REFUND_FAILED",
  "DISPUTE_CREATED", "DISPUTE_UPDATED", "DISPUTE_CLOSED", "test.webhook",
];

describe("Webhook endpoints", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const create = (change: object = {}) =>
    service.call("POST /webhooks", { body: { url, authorized_events: ["PAYMENT_SUCCEEDED"], ...change } });
  const params = (id: string) => ({ params: { id } });

  it("a webhook endpoint is created with 201, a flat record and the secret", async () => {
    const shop = await service.merchant();
    const body = { url, authorized_events: ["PAYMENT_SUCCEEDED", "REFUND_COMPLETED"], description: "Orders" };
    const made = await shop.call("POST /webhooks", { body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      id: expect.stringMatching(/^wh_/),
      webhook_id: made.text("id"),
      secret: expect.stringMatching(/^whsec_/),
      url,
      is_active: true,
      authorized_events: body.authorized_events,
      metadata: expect.any(Object),
      description: "Orders",
      environment: "test",
      organization_id: shop.organizationId,
      created_by: shop.merchantId,
      created_at: aTime,
      updated_at: aTime,
      last_triggered_at: null,
      last_response_status: null,
      last_response_body: null,
      retry_count: 0,
    });
  });

  it("a webhook endpoint never shows its secret again", async () => {
    const made = await create();
    const secret = made.text("secret");
    const id = made.text("id");
    const answers = [
      await service.call("GET /webhooks"),
      await service.call("GET /webhooks/{id}", params(id)),
      await service.call("PATCH /webhooks/{id}", { ...params(id), body: { is_active: true } }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.raw).not.toContain(secret);
      expect(answer.raw).not.toContain("whsec_");
    }
  });

  it("webhook endpoints are listed as a bare array and read one by one", async () => {
    const shop = await service.merchant();
    const { id } = await listen(service, shop.call, ["PAYMENT_FAILED"]);
    const list = await shop.call("GET /webhooks");
    const endpoint = await shop.call("GET /webhooks/{id}", params(id));
    expect(list.body).toEqual([endpoint.body]);
    expect(endpoint.body).toMatchObject({ id, authorized_events: ["PAYMENT_FAILED"] });
  });

  it.each(allEvents)("webhook endpoints may subscribe to %s", async (event) => {
    expect((await create({ authorized_events: [event] })).status).toBe(201);
  });

  it.each([
    ["url", undefined],
    ["url", "/hooks"],
    ["url", "ftp://127.0.0.1/hooks"],
    ["url", 5],
    ["authorized_events", undefined],
    ["authorized_events", []],
    ["authorized_events", ["PAYMENT_SUCCEEDED", "payment.succeeded"]],
    ["authorized_events", ["SUBSCRIPTION_PAYMENT_FAILED"]],
    ["authorized_events", "PAYMENT_SUCCEEDED"],
    ["description", 5],
  ])("%s %j gives 400 validation_failed that names the field", async (field, value) => {
    expectInvalid(await create({ [field]: value }), field);
  });

  it("an update changes url, is_active, authorized_events or metadata and returns the record", async () => {
    const made = await create();
    const byId = params(made.text("id"));
    for (const change of [
      { url: "http://127.0.0.1:9/other" },
      { is_active: false },
      { authorized_events: ["REFUND_FAILED", "DISPUTE_CREATED"] },
      { metadata: { shop: "abidjan" } },
      {},
    ]) {
      const updated = await service.call("PATCH /webhooks/{id}", { ...byId, body: change });
      expect(updated.status).toBe(200);
      expect(updated.body).toMatchObject(change);
    }
    expect((await service.call("GET /webhooks/{id}", byId)).body).toMatchObject({
      url: "http://127.0.0.1:9/other",
      is_active: false,
      metadata: { shop: "abidjan" },
    });
  });

  it.each([
    ["url", "hooks"],
    ["is_active", "no"],
    ["authorized_events", ["NOTHING"]],
    ["authorized_events", []],
    ["metadata", "shop"],
  ])("an update of %s to %j gives 400 validation_failed", async (field, value) => {
    const byId = params((await create()).text("id"));
    expectInvalid(await service.call("PATCH /webhooks/{id}", { ...byId, body: { [field]: value } }), field);
  });

  it("deleting a webhook endpoint gives 204, and the endpoint no longer exists", async () => {
    const shop = await service.merchant();
    const { id, receiver } = await listen(service, shop.call, paymentEvents);
    const deleted = await shop.call("DELETE /webhooks/{id}", params(id));
    expect([deleted.status, deleted.raw]).toEqual([204, ""]);
    expectRefusal(await shop.call("GET /webhooks/{id}", params(id)), 404, "not_found", / not found$/);
    expectRefusal(await shop.call("DELETE /webhooks/{id}", params(id)), 404, "not_found");
    expect((await shop.call("GET /webhooks")).body).toEqual([]);
    await paidSession(service, shop.call);
    expect(await receiver.waitBriefly()).toEqual([]);
  });

  it("an unknown webhook endpoint gives 404 not_found on every route", async () => {
    const byId = params("wh_22222222222222");
    for (const answer of [
      await service.call("GET /webhooks/{id}", byId),
      await service.call("PATCH /webhooks/{id}", { ...byId, body: { is_active: true } }),
      await service.call("DELETE /webhooks/{id}", byId),
      await service.call("POST /webhooks/{id}/test", byId),
      await service.call("GET /webhooks/{id}/logs", byId),
    ]) {
      expectRefusal(answer, 404, "not_found", / not found$/);
    }
  });

  it("only subscribed events are sent", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    const id = (await openSession(shop.call)).text("id");
    await pay(service, id, "card", "failed");
    await pay(service, id);
    await receiver.wait(1);
    expect((await receiver.waitBriefly()).map(({ event }) => event)).toEqual(["PAYMENT_SUCCEEDED"]);
  });

  it("an inactive webhook endpoint receives nothing until it is active again", async () => {
    const shop = await service.merchant();
    const { receiver, id } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    await shop.call("PATCH /webhooks/{id}", { ...params(id), body: { is_active: false } });
    await paidSession(service, shop.call);
    expect(await receiver.waitBriefly()).toEqual([]);
    await shop.call("PATCH /webhooks/{id}", { ...params(id), body: { is_active: true } });
    await paidSession(service, shop.call);
    await receiver.wait(1, "PAYMENT_SUCCEEDED");
  });

  it("several webhook endpoints of one merchant each receive the event, signed with their own secret", async () => {
    const shop = await service.merchant();
    const listeners = [
      await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]),
      await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]),
    ];
    await paidSession(service, shop.call);
    for (const { receiver, secret } of listeners) {
      const [delivery] = await receiver.wait(1);
      expect(delivery?.headers["x-service-signature"]).toBe(signature(delivery?.raw, secret));
    }
  });

  it("a webhook endpoint shows when it was last triggered and what it answered", async () => {
    const shop = await service.merchant();
    const { receiver, id } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    receiver.setBody("well received");
    await paidSession(service, shop.call);
    await receiver.wait(1);
    await receiver.waitBriefly();
    expect((await shop.call("GET /webhooks/{id}", params(id))).body).toMatchObject({
      last_triggered_at: aTime,
      last_response_status: 200,
      last_response_body: "well received",
    });
  });

  it("a rotation shows a new secret once, and the next event is signed with it", async () => {
    const shop = await service.merchant();
    const { receiver, id, secret } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    const rotated = await shop.call("PATCH /webhooks/{id}", { ...params(id), body: { rotate_secret: true } });
    const newSecret = rotated.text("secret");
    expect(newSecret).toMatch(/^whsec_[0-9a-f]{32}$/);
    expect(newSecret).not.toBe(secret);
    expect((await shop.call("GET /webhooks/{id}", params(id))).raw).not.toContain("whsec_");
    await paidSession(service, shop.call);
    const [delivery] = await receiver.wait(1);
    expect(delivery?.headers["x-service-signature"]).toBe(signature(delivery?.raw, newSecret));
  });

  it("events are signed with both secrets for 24 hours with dualSignature", async () => {
    const shop = await service.merchant();
    const { receiver, id, secret } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    const rotated = await service.withSettings({ dualSignature: true }, async () => {
      const answer = await shop.call("PATCH /webhooks/{id}", { ...params(id), body: { rotate_secret: true } });
      await paidSession(service, shop.call);
      await receiver.wait(1);
      await service.advance(25 * hour);
      await paidSession(service, shop.call);
      await receiver.wait(2);
      return answer;
    });
    const newSecret = rotated.text("secret");
    const [first, second] = receiver.deliveries;
    const parts = String(first?.headers["x-service-signature"]).split(/,\s*/);
    expect(new Set(parts)).toEqual(new Set([signature(first?.raw, newSecret), signature(first?.raw, secret)]));
    expect(second?.headers["x-service-signature"]).toBe(signature(second?.raw, newSecret));
  });

  it("an address of a private or loopback network gives 400 when loopback is not allowed", async () => {
    const hosts = [
      "127.0.0.1",
      "localhost",
      "10.0.0.5",
      "192.168.1.1",
      "172.16.0.1",
      "169.254.169.254",
      "[::1]",
      "[fd00::1]",
      "[::ffff:127.0.0.1]",
      "0.0.0.0",
      "2130706433", // 127.0.0.1 as one number
    ];
    await service.withSettings({ allowLoopbackWebhooks: false }, async () => {
      for (const host of hosts) expect((await create({ url: `http://${host}/hooks` })).status, host).toBe(400);
    });
  });

  it("a delivery to a private network is refused as blocked_webhook_url", async () => {
    const shop = await service.merchant();
    const { receiver, id } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    const logs = await service.withSettings({ allowLoopbackWebhooks: false }, async () => {
      await paidSession(service, shop.call);
      expect(await receiver.waitBriefly()).toEqual([]);
      return (await shop.call("GET /webhooks/{id}/logs", params(id))).rows();
    });
    expect(logs[0]).toMatchObject({ success: false, error: "blocked_webhook_url", response_status: null });
  });
});

describe("POST /webhooks/{id}/test", () => {
  const service = startService();

  it("a test delivery sends test.webhook at once and returns the receiver's answer", async () => {
    const { receiver, id } = await listen(service, service.call, ["PAYMENT_SUCCEEDED"]);
    receiver.setBody("hello");
    const answer = await service.call("POST /webhooks/{id}/test", { params: { id } });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, status: 200, response: "hello", delivered_url: receiver.url });
    expect(receiver.deliveries.map(({ event }) => event)).toEqual(["test.webhook"]);
    const log = await service.call("GET /webhook-delivery-logs/{id}", { params: { id: answer.text("log_id") } });
    expect(log.body).toMatchObject({ event_type: "test.webhook", success: true, webhook_id: id });
  });

  it("a test delivery gives 400 bad_request with the receiver's text when the receiver does not answer 2xx", async () => {
    const { receiver, id } = await listen(service, service.call, ["PAYMENT_SUCCEEDED"]);
    receiver.answer(500);
    receiver.setBody("the shop is closed");
    const answer = await service.call("POST /webhooks/{id}/test", { params: { id } });
    expectRefusal(answer, 400, "bad_request");
    expect(answer.raw).toContain("the shop is closed");
  });

  it("a test delivery is allowed on an inactive endpoint", async () => {
    const { receiver, id } = await listen(service, service.call, ["PAYMENT_SUCCEEDED"]);
    await service.call("PATCH /webhooks/{id}", { params: { id }, body: { is_active: false } });
    expect((await service.call("POST /webhooks/{id}/test", { params: { id } })).status).toBe(200);
    expect(receiver.deliveries).toHaveLength(1);
  });

  it("a test delivery creates no transaction", async () => {
    const shop = await service.merchant();
    const { id } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    await shop.call("POST /webhooks/{id}/test", { params: { id } });
    expect((await shop.call("GET /transactions")).number("total_count")).toBe(0);
  });
});

function signature(raw: string | undefined, secret: string): string {
  return createHmac("sha256", secret)
    .update(raw ?? "")
    .digest("hex");
}
