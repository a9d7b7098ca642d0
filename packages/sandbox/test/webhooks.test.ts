import { webhookEndpointSchema } from "@tillkit/client/schemas";
import { verifyWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import {
  api,
  eventually,
  newEndpoint,
  newSession,
  openReceiver,
  openSandbox,
  order,
  paymentEvents,
  type Received,
} from "./open-sandbox.ts";
import { moveMoney, payNewSession } from "./payments.ts";

/** No program listens on this port. */
const url = "http://127.0.0.1:9/hooks";

function isSigned({ headers, body }: Received, ...secrets: string[]): boolean {
  const signature = headers["x-service-signature"];
  return verifyWebhook({ bytes: Buffer.from(body), signature, secrets }) !== null;
}

describe("webhook endpoints", () => {
  it("the secret of an endpoint is shown at creation only", async () => {
    const sandbox = await openSandbox();
    const body = { url, authorized_events: paymentEvents, description: "Shop", metadata: { shop: "1" } };
    const { status, json } = await api(sandbox, "POST /webhooks", { body });
    expect(status).toBe(201);
    webhookEndpointSchema.parse(json);
    expect(json.id).toMatch(/^wh_[2-9A-HJ-NP-Z]{14}$/);
    expect(json.secret).toMatch(/^whsec_[0-9a-f]{32}$/);
    expect(json).toMatchObject({ webhook_id: json.id, url, is_active: true, description: "Shop", environment: "test" });
    const { secret: _, ...record } = json;
    expect((await api(sandbox, `GET /webhooks/${json.id}`)).json).toEqual(record);
    expect((await api(sandbox, "GET /webhooks")).json).toEqual([record]);
    expect((await api(sandbox, `PATCH /webhooks/${json.id}`, { body: {} })).json).not.toHaveProperty("secret");
  });

  it("an endpoint with unknown events, an empty list or an invalid URL is rejected", async () => {
    const sandbox = await openSandbox();
    for (const [body, field] of [
      [{ url, authorized_events: ["ORDER_PAID"] }, "authorized_events.0"],
      [{ url, authorized_events: [] }, "authorized_events"],
      [{ url: "/hooks", authorized_events: paymentEvents }, "url"],
      [{ url: "ftp://shop.example/", authorized_events: paymentEvents }, "url"],
    ] as const) {
      const { status, json } = await api(sandbox, "POST /webhooks", { body });
      expect([status, json.error.code, Object.keys(json.error.details)]).toEqual([400, "validation_failed", [field]]);
    }
  });

  it("an endpoint is changed field by field and deleted with 204", async () => {
    const sandbox = await openSandbox();
    const { id } = await newEndpoint(sandbox, url, { metadata: { a: 1 } });
    const changed = await api(sandbox, `PATCH /webhooks/${id}`, { body: { is_active: false } });
    expect([changed.status, changed.json]).toMatchObject([200, { is_active: false, url, metadata: { a: 1 } }]);
    expect((await api(sandbox, `DELETE /webhooks/${id}`)).status).toBe(204);
    expect((await api(sandbox, `GET /webhooks/${id}`)).json.error.message).toBe("Webhook not found");
  });

  it("an endpoint belongs to one environment", async () => {
    const sandbox = await openSandbox();
    const { id } = await newEndpoint(sandbox, url);
    const key = sandbox.keys.live.secret;
    expect((await api(sandbox, "GET /webhooks", { key })).json).toEqual([]);
    for (const route of [`GET /webhooks/${id}`, `DELETE /webhooks/${id}`]) {
      expect((await api(sandbox, route, { key })).status).toBe(404);
    }
  });

  it("private networks are blocked at creation and at delivery when loopback is not allowed", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url);
    await sandbox.control.changeSettings({ allowLoopbackWebhooks: false });
    for (const address of ["http://127.0.0.1/h", "http://localhost/h", "http://10.0.0.1/h", "http://[::1]/h"]) {
      const { status, json } = await api(sandbox, "POST /webhooks", {
        body: { url: address, authorized_events: paymentEvents },
      });
      expect([address, status, json.error.code]).toEqual([address, 400, "bad_request"]);
    }
    const { id } = await newSession(sandbox);
    await sandbox.control.paySession(id, { method: "wave", outcome: "failed" });
    await eventually(async () => (await sandbox.control.listDeliveries()).every(({ state }) => state === "failed"));
    const [delivery] = await sandbox.control.listDeliveries();
    expect(delivery?.attempts).toMatchObject([{ error: "blocked_webhook_url", response_status: null }]);
    expect(receiver.received).toEqual([]);
  });
});

describe("a delivery", () => {
  it("a delivery has event, signature and user agent headers, and no credentials", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    const { secret } = await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    const session = await newSession(sandbox);
    const paid = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    const [delivery] = (await receiver.waitFor(1)) as [Received];
    expect(delivery.headers).toMatchObject({
      "content-type": "application/json",
      "x-service-event": "PAYMENT_SUCCEEDED",
      "user-agent": "Service-Webhook/1.0",
    });
    for (const absent of ["authorization", "x-api-key", "x-service-timestamp"]) {
      expect(delivery.headers).not.toHaveProperty(absent);
    }
    expect(isSigned(delivery, secret)).toBe(true);
    const event = JSON.parse(delivery.body);
    expect(Object.keys(event)).toEqual(["id", "event", "timestamp", "data", "service_environment"]);
    expect(event).toMatchObject({
      event: "PAYMENT_SUCCEEDED",
      service_environment: "development",
      data: {
        transaction_id: paid.transaction_id,
        checkout_session_id: session.id,
        status: "completed",
        gross_amount: 25000,
        environment: "test",
        metadata: { order_id: "1042", checkout_session_id: session.id },
      },
    });
  });

  it("a delivery contains no internal fields", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    const { id } = await newSession(sandbox, { integration_source: "system" });
    await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
    const [delivery] = (await receiver.waitFor(1)) as [Received];
    expect(delivery.body).not.toMatch(/integration_source|is_pos|is_bnpl|spi_/);
  });

  it("an event goes only to active, subscribed endpoints of its environment", async () => {
    const sandbox = await openSandbox();
    const [subscribed, live, inactive, unsubscribed] = await Promise.all([
      openReceiver(),
      openReceiver(),
      openReceiver(),
      openReceiver(),
    ]);
    await newEndpoint(sandbox, subscribed.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    await newEndpoint(sandbox, live.url, {}, sandbox.keys.live.secret);
    const { id: inactiveId } = await newEndpoint(sandbox, inactive.url);
    await api(sandbox, `PATCH /webhooks/${inactiveId}`, { body: { is_active: false } });
    await newEndpoint(sandbox, unsubscribed.url, { authorized_events: ["PAYMENT_FAILED"] });
    const { id } = await newSession(sandbox);
    await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
    await subscribed.waitFor(1);
    await eventually(async () => (await sandbox.control.listDeliveries()).every(({ state }) => state === "delivered"));
    expect([subscribed, live, inactive, unsubscribed].map(({ received }) => received.length)).toEqual([1, 0, 0, 0]);
  });

  it("a delivery is retried after 5xx, 3xx and timeouts with waits of 5, 10, 20 and 40 seconds", async () => {
    // A clock that stands still until the test advances it.
    const settings = { delivery: { timeoutMs: 1000 } };
    const sandbox = await openSandbox({ settings, clock: { now: () => Date.UTC(2026, 0, 6, 12) } });
    const receiver = await openReceiver();
    const noResponse = 0;
    receiver.respondWith(500, 302, noResponse, 503);
    const { id: endpointId, secret } = await newEndpoint(sandbox, receiver.url, {
      authorized_events: ["PAYMENT_SUCCEEDED"],
    });
    const { id } = await newSession(sandbox);
    await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
    for (const [attemptCount, waitMs] of [
      [1, 5000],
      [2, 10_000],
      [3, 20_000],
      [4, 40_000],
    ] as const) {
      await eventually(async () => (await sandbox.control.listDeliveries())[0]?.attempts.length === attemptCount);
      const { now } = sandbox.control.readClock();
      const due = Date.parse((await sandbox.control.listDeliveries())[0]?.due_at ?? "");
      expect(due - Date.parse(now)).toBeGreaterThan(waitMs - 1500);
      expect(due - Date.parse(now)).toBeLessThanOrEqual(waitMs);
      await sandbox.control.advanceClock(waitMs);
    }
    await eventually(async () => (await sandbox.control.listDeliveries())[0]?.state === "failed");
    await sandbox.control.advanceClock(600_000);
    const [delivery] = await sandbox.control.listDeliveries();
    expect(delivery?.attempts.map((attempt) => attempt.response_status ?? attempt.error)).toEqual([
      500,
      302,
      "timeout",
      503,
      503,
    ]);
    expect(delivery?.due_at).toBeNull();
    expect(receiver.received).toHaveLength(5);

    // Every attempt has the id of the event, and its own time and signature.
    const bodies = receiver.received.map(({ body }) => JSON.parse(body));
    expect(new Set(bodies.map((body) => body.id)).size).toBe(1);
    expect(new Set(bodies.map((body) => body.timestamp)).size).toBe(5);
    expect(receiver.received.every((received) => isSigned(received, secret))).toBe(true);
    const record = (await api(sandbox, `GET /webhooks/${endpointId}`)).json;
    expect(record).toMatchObject({ last_response_status: 503, last_response_body: "said 503", retry_count: 4 });
  });

  it("a delivery is retried after a network error", async () => {
    const sandbox = await openSandbox();
    await newEndpoint(sandbox, "http://127.0.0.1:1/hooks", { authorized_events: ["PAYMENT_SUCCEEDED"] });
    const { id } = await newSession(sandbox);
    await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
    await eventually(async () => (await sandbox.control.listDeliveries())[0]?.attempts.length === 1);
    const [delivery] = await sandbox.control.listDeliveries();
    expect(delivery).toMatchObject({ state: "waiting", attempts: [{ error: "network_error", success: false }] });
  });

  it("a 4xx response is final, including 408 and 429", async () => {
    const sandbox = await openSandbox();
    for (const status of [400, 404, 408, 429]) {
      const receiver = await openReceiver();
      receiver.respondWith(status);
      const { id: endpointId } = await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_CREATED"] });
      const { id } = await newSession(sandbox);
      await sandbox.control.paySession(id, { method: "wave", outcome: "pending" });
      await eventually(async () => (await sandbox.control.listDeliveries())[0]?.state === "failed");
      await api(sandbox, `DELETE /webhooks/${endpointId}`);
    }
  });

  it("a delivery is not retried after its endpoint was deactivated", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    receiver.respondWith(500);
    const { id: endpointId } = await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_CREATED"] });
    const { id } = await newSession(sandbox);
    await sandbox.control.paySession(id, { method: "wave", outcome: "pending" });
    await eventually(async () => (await sandbox.control.listDeliveries())[0]?.attempts.length === 1);
    await api(sandbox, `PATCH /webhooks/${endpointId}`, { body: { is_active: false } });
    await sandbox.control.advanceClock(5000);
    await eventually(async () => (await sandbox.control.listDeliveries())[0]?.state === "dropped");
    expect(receiver.received).toHaveLength(1);
  });

  it("a silent receiver does not delay other endpoints", async () => {
    const sandbox = await openSandbox({ settings: { ratePolicy: "off", delivery: { timeoutMs: 60_000 } } });
    const [silent, fast] = await Promise.all([openReceiver(), openReceiver()]);
    const noResponse = 0;
    silent.respondWith(noResponse);
    await newEndpoint(sandbox, silent.url);
    await newEndpoint(sandbox, fast.url);
    for (let count = 0; count < 20; count++) {
      const { id } = await newSession(sandbox);
      await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
    }
    await fast.waitFor(40);
    // One endpoint has at most 8 deliveries in flight, and none of these ends during the test.
    expect(silent.received.length).toBeLessThanOrEqual(8);
  });
});

describe("the settings of deliveries", () => {
  /** Pays a session of a sandbox with these settings and an endpoint for all payment events. */
  const payWith = async (delivery: Record<string, unknown>, settings: Record<string, unknown> = {}) => {
    const sandbox = await openSandbox({ settings: { ...settings, delivery } });
    const receiver = await openReceiver();
    const endpoint = await newEndpoint(sandbox, receiver.url);
    const session = await newSession(sandbox);
    await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    return { sandbox, receiver, endpoint, session };
  };

  it("the setting duplicate sends extra copies of each event", async () => {
    const { receiver } = await payWith({ duplicate: 2 });
    const received = await receiver.waitFor(6);
    const ids = received.map(({ body }) => JSON.parse(body).id);
    expect(new Set(ids).size).toBe(2);
  });

  it("the setting reorder lets every second event overtake the previous event", async () => {
    const { sandbox, receiver } = await payWith({ reorder: true });
    await receiver.waitFor(1);
    await sandbox.control.advanceClock(1000);
    const received = await receiver.waitFor(2);
    expect(received.map(({ headers }) => headers["x-service-event"])).toEqual(["PAYMENT_SUCCEEDED", "PAYMENT_CREATED"]);
  });

  it("the setting dropFirst drops the first attempts of every delivery", async () => {
    const { sandbox, receiver } = await payWith({ dropFirst: 1 });
    await eventually(async () =>
      (await sandbox.control.listDeliveries()).every(({ attempts }) => attempts.length === 1),
    );
    expect(receiver.received).toEqual([]);
    await sandbox.control.advanceClock(5000);
    await receiver.waitFor(2);
    const [delivery] = await sandbox.control.listDeliveries();
    expect(delivery?.attempts[0]).toMatchObject({ error: "network_error", success: false });
  });

  it("the setting tamper changes the body after signing", async () => {
    const { receiver, endpoint } = await payWith({ tamper: true });
    const [delivery] = (await receiver.waitFor(1)) as [Received];
    expect(isSigned(delivery, endpoint.secret)).toBe(false);
    expect(JSON.parse(delivery.body).data.gross_amount).toBe(order.amount + 1);
  });

  it("the setting freshIdPerAttempt gives every attempt its own event id", async () => {
    const { sandbox, receiver } = await payWith({ freshIdPerAttempt: true });
    await receiver.waitFor(2);
    const [event] = await sandbox.control.listEvents();
    await sandbox.control.deliverEvent(event?.id ?? "");
    const received = await receiver.waitFor(3);
    expect(new Set(received.map(({ body }) => JSON.parse(body).id)).size).toBe(3);
  });

  it("the setting thinEvents omits the session id, and with bare also the metadata", async () => {
    const thin = await payWith({}, { thinEvents: true });
    const [first] = (await thin.receiver.waitFor(1)) as [Received];
    expect(JSON.parse(first.body).data).not.toHaveProperty("checkout_session_id");
    expect(JSON.parse(first.body).data.metadata.order_id).toBe("1042");
    const bare = await payWith({}, { thinEvents: "bare" });
    const [second] = (await bare.receiver.waitFor(1)) as [Received];
    expect(second.body).not.toContain(bare.session.id);
    expect(JSON.parse(second.body).data.metadata).toBeNull();
    expect(isSigned(second, bare.endpoint.secret)).toBe(true);
  });

  it("the setting thinEvents with bare omits session and metadata of refunds and disputes, which name their transaction", async () => {
    const sandbox = await openSandbox({ settings: { thinEvents: "bare" } });
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["REFUND_COMPLETED", "DISPUTE_CREATED"] });
    const { transaction_id, checkout_session_id } = await payNewSession(sandbox);
    await moveMoney(sandbox, "/refunds", { transaction_id, amount: 100 });
    await sandbox.control.createDispute({ transaction_id });
    for (const { body } of await receiver.waitFor(2)) {
      expect(body).not.toContain(checkout_session_id);
      expect(JSON.parse(body).data).toMatchObject({ transaction_id, metadata: null });
    }
  });

  it("the setting timestampHeader sends the time of the body as a header", async () => {
    const { receiver } = await payWith({}, { timestampHeader: true });
    const [delivery] = (await receiver.waitFor(1)) as [Received];
    expect(delivery.headers["x-service-timestamp"]).toBe(JSON.parse(delivery.body).timestamp);
  });

  it("the setting dualSignature signs with both secrets for a day after a rotation", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    const endpoint = await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_CREATED"] });
    const rotated = await api(sandbox, `PATCH /webhooks/${endpoint.id}`, { body: { rotate_secret: true } });
    expect(rotated.json.secret).toMatch(/^whsec_[0-9a-f]{32}$/);
    expect(rotated.json.secret).not.toBe(endpoint.secret);
    const deliver = async () => {
      const { id } = await newSession(sandbox);
      await sandbox.control.paySession(id, { method: "wave", outcome: "pending" });
      const count = receiver.received.length + 1;
      const signature = (await receiver.waitFor(count)).at(-1)?.headers["x-service-signature"];
      return String(signature).split(",").length;
    };
    expect(await deliver()).toBe(1);
    expect(isSigned(receiver.received[0] as Received, rotated.json.secret)).toBe(true);
    await sandbox.control.changeSettings({ dualSignature: true });
    expect(await deliver()).toBe(2);
    await sandbox.control.advanceClock(86_400_000);
    expect(await deliver()).toBe(1);
  });
});
