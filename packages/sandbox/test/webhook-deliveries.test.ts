import { createHmac } from "node:crypto";
import { deliveryLogSchema, deliveryRetrySchema, webhookTestSchema } from "@tillkit/client/schemas";
import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import {
  api,
  eventually,
  type Json,
  newEndpoint,
  openReceiver,
  openSandbox,
  type Received,
  type Receiver,
} from "./open-sandbox.ts";
import { payNewSession } from "./payments.ts";

const NOON = Date.UTC(2026, 0, 6, 12);

const signatureOf = ({ body }: Received, secret: string) => createHmac("sha256", secret).update(body).digest("hex");
const logsOf = async (sandbox: Sandbox, endpoint: Json, query = ""): Promise<Json[]> =>
  (await api(sandbox, `GET /webhooks/${endpoint.id}/logs?${query}`)).json;

type Setup = { sandbox: Sandbox; receiver: Receiver; endpoint: Json };

/** Delivers one PAYMENT_SUCCEEDED to a receiver that responds with this status. */
async function deliverOnce(status: number): Promise<Setup> {
  const sandbox = await openSandbox();
  const receiver = await openReceiver();
  receiver.respondWith(status);
  const endpoint = await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
  await payNewSession(sandbox);
  await eventually(async () => (await logsOf(sandbox, endpoint)).length === 1);
  return { sandbox, receiver, endpoint };
}

describe("a test event", () => {
  it("a test event is sent and logged at once, also to inactive and unsubscribed endpoints", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    const endpoint = await newEndpoint(sandbox, receiver.url);
    await api(sandbox, `PATCH /webhooks/${endpoint.id}`, { body: { is_active: false } });
    const { status, json } = await api(sandbox, `POST /webhooks/${endpoint.id}/test`);
    expect(status).toBe(200);
    webhookTestSchema.parse(json);
    expect(json).toMatchObject({ success: true, status: 200, response: "said 200", delivered_url: receiver.url });
    const [received] = (await receiver.waitFor(1)) as [Received];
    const body = JSON.parse(received.body);
    expect(body).toMatchObject({
      event: "test.webhook",
      type: "test.webhook",
      livemode: false,
      webhook_id: endpoint.id,
      data: { object: { test: true, amount: 1000, metadata: { webhook_id: endpoint.id } } },
    });
    expect(body.created).toBe(body.timestamp);
    expect(received.headers).toMatchObject({
      "x-service-event": "test.webhook",
      "x-service-timestamp": body.timestamp,
      "x-service-signature": signatureOf(received, endpoint.secret),
    });
    const log = await api(sandbox, `GET /webhook-delivery-logs/${json.log_id}`);
    expect(log.json).toMatchObject({ event_type: "test.webhook", event_id: body.id, success: true });
    expect((await sandbox.control.listEvents()).map(({ event }) => event)).toEqual(["test.webhook"]);
  });

  it("a failed test event reports the response of the receiver and can be retried", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    receiver.respondWith(500);
    const endpoint = await newEndpoint(sandbox, receiver.url);
    const { status, json } = await api(sandbox, `POST /webhooks/${endpoint.id}/test`);
    expect([status, json.error.code]).toEqual([400, "bad_request"]);
    expect(json.error.message).toBe("The webhook endpoint answered 500: said 500");
    await sandbox.control.advanceClock(60_000);
    expect(receiver.received).toHaveLength(1);
    receiver.respondWith(204);
    const [log] = await logsOf(sandbox, endpoint);
    expect((await api(sandbox, `POST /webhooks/${endpoint.id}/logs/${log.id}/retry`)).status).toBe(200);
  });

  it("a test event to an unreachable endpoint reports the network error", async () => {
    const sandbox = await openSandbox();
    const endpoint = await newEndpoint(sandbox, "http://127.0.0.1:1/hooks");
    const { json } = await api(sandbox, `POST /webhooks/${endpoint.id}/test`);
    expect(json.error.message).toBe("The webhook endpoint did not answer: network_error");
  });
});

describe("delivery logs", () => {
  it("delivery logs are newest first, filtered by success or failure, and 25 per page by default", async () => {
    const { sandbox, receiver, endpoint } = await deliverOnce(200);
    receiver.respondWith(400);
    for (let count = 0; count < 3; count++) await api(sandbox, `POST /webhooks/${endpoint.id}/test`);
    const logs = await logsOf(sandbox, endpoint);
    deliveryLogSchema.array().parse(logs);
    expect(logs.map(({ response_status }) => response_status)).toEqual([400, 400, 400, 200]);
    expect(await logsOf(sandbox, endpoint, "success=true")).toEqual([logs[3]]);
    expect(await logsOf(sandbox, endpoint, "failed=true&limit=1&offset=1")).toEqual([logs[1]]);
    expect(await logsOf(sandbox, endpoint, "failed=true&success=true&limit=1000")).toEqual(logs);
    expect(await logsOf(sandbox, endpoint, "success=false")).toEqual(logs.slice(0, 3));
    expect(await logsOf(sandbox, endpoint, "failed=false")).toEqual([logs[3]]);
    expect(await logsOf(sandbox, endpoint, "success=true&failed=false")).toEqual([logs[3]]);
    expect(await logsOf(sandbox, endpoint, "success=false&failed=true")).toEqual(logs.slice(0, 3));
    expect(await logsOf(sandbox, endpoint, "success=false&failed=false")).toEqual([]);
    for (const query of ["limit=0", "offset=-1", "success=yes"]) {
      const { json } = await api(sandbox, `GET /webhooks/${endpoint.id}/logs?${query}`);
      expect([query, json.error.code]).toEqual([query, "validation_failed"]);
    }
    for (let count = 0; count < 22; count++) await api(sandbox, `POST /webhooks/${endpoint.id}/test`);
    expect(await logsOf(sandbox, endpoint)).toHaveLength(25);
  });

  it("a delivery log shows request and response to its own merchant only", async () => {
    const { sandbox, receiver, endpoint } = await deliverOnce(200);
    const [log] = await logsOf(sandbox, endpoint);
    expect(log).toMatchObject({
      webhook_id: endpoint.id,
      event_type: "PAYMENT_SUCCEEDED",
      attempt_number: 1,
      success: true,
      error: null,
      payload: JSON.parse(receiver.received[0]?.body ?? ""),
      response_body: "said 200",
      user_agent: "Service-Webhook/1.0",
      headers: { "X-Service-Event": "PAYMENT_SUCCEEDED" },
    });
    expect((await api(sandbox, `GET /webhook-delivery-logs/${log.id}`)).json).toEqual(log);
    const key = sandbox.keys.live.secret;
    expect((await api(sandbox, `GET /webhook-delivery-logs/${log.id}`, { key })).status).toBe(404);
    expect((await api(sandbox, `GET /webhook-delivery-logs/${log.id}`, { key: null })).status).toBe(401);
    expect((await api(sandbox, `GET /webhooks/${endpoint.id}/logs`, { key })).status).toBe(404);
  });
});

describe("a manual retry", () => {
  it("a manual retry sends the same bytes with the next attempt number and ends automatic retries", async () => {
    const { sandbox, receiver, endpoint } = await deliverOnce(500);
    const [log] = await logsOf(sandbox, endpoint);
    receiver.respondWith(200);
    const { status, json } = await api(sandbox, `POST /webhooks/${endpoint.id}/logs/${log.id}/retry`);
    expect(status).toBe(200);
    deliveryRetrySchema.parse(json);
    expect(json).toEqual({ delivered: true, response_status: 200, event_id: log.event_id });
    const [first, second] = receiver.received;
    expect([second?.body, second?.headers["x-service-signature"]]).toEqual([
      first?.body,
      first?.headers["x-service-signature"],
    ]);
    expect((await logsOf(sandbox, endpoint))[0]).toMatchObject({ attempt_number: 2, success: true });
    await sandbox.control.advanceClock(600_000);
    expect(receiver.received).toHaveLength(2);
  });

  it("a manual retry is signed with the current secret", async () => {
    const { sandbox, receiver, endpoint } = await deliverOnce(400);
    const { secret } = (await api(sandbox, `PATCH /webhooks/${endpoint.id}`, { body: { rotate_secret: true } })).json;
    const [log] = await logsOf(sandbox, endpoint);
    receiver.respondWith(200);
    await api(sandbox, `POST /webhooks/${endpoint.id}/logs/${log.id}/retry`);
    const [, again] = receiver.received as [Received, Received];
    expect(again.headers["x-service-signature"]).toBe(signatureOf(again, secret));
  });

  it("a failed manual retry is 400 and writes another log", async () => {
    const { sandbox, receiver, endpoint } = await deliverOnce(400);
    receiver.respondWith(410);
    const [log] = await logsOf(sandbox, endpoint);
    const { status, json } = await api(sandbox, `POST /webhooks/${endpoint.id}/logs/${log.id}/retry`);
    expect([status, json.error.message]).toEqual([400, "The webhook endpoint answered 410: said 410"]);
    expect((await logsOf(sandbox, endpoint)).map(({ attempt_number }) => attempt_number)).toEqual([2, 1]);
  });

  it("a manual retry is a conflict when its endpoint is inactive, unsubscribed or has received the event", async () => {
    const { sandbox, receiver, endpoint } = await deliverOnce(400);
    const [log] = await logsOf(sandbox, endpoint);
    const retry = async (id: string) => (await api(sandbox, `POST /webhooks/${endpoint.id}/logs/${id}/retry`)).status;
    const change = (body: Json) => api(sandbox, `PATCH /webhooks/${endpoint.id}`, { body });
    await change({ is_active: false });
    expect(await retry(log.id)).toBe(409);
    await change({ is_active: true, authorized_events: ["REFUND_CREATED"] });
    expect(await retry(log.id)).toBe(409);
    await change({ authorized_events: ["PAYMENT_SUCCEEDED"] });
    receiver.respondWith(200);
    expect(await retry(log.id)).toBe(200);
    const [delivered] = await logsOf(sandbox, endpoint);
    expect(await retry(delivered.id)).toBe(409);
    expect(await retry("3fa85f64-5717-4562-b3fc-2c963f66afa6")).toBe(404);
    expect(receiver.received).toHaveLength(2);
  });

  it("a manual retry needs a log of the endpoint", async () => {
    const { sandbox, receiver, endpoint } = await deliverOnce(400);
    const [log] = await logsOf(sandbox, endpoint);
    const other = await newEndpoint(sandbox, receiver.url);
    expect((await api(sandbox, `POST /webhooks/${other.id}/logs/${log.id}/retry`)).status).toBe(404);
  });
});

describe("the setting delivery.path direct", () => {
  it("with the delivery path direct, a delivery has four attempts with waits of 3, 6 and 12 seconds and new event ids", async () => {
    // A clock that stands still until the test advances it.
    const sandbox = await openSandbox({ settings: { delivery: { path: "direct" } }, clock: { now: () => NOON } });
    const receiver = await openReceiver();
    receiver.respondWith(503);
    const endpoint = await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    await payNewSession(sandbox);
    for (const [attemptCount, waitMs] of [
      [1, 3000],
      [2, 6000],
      [3, 12_000],
    ] as const) {
      await eventually(async () => (await logsOf(sandbox, endpoint)).length === attemptCount);
      const due = Date.parse((await sandbox.control.listDeliveries())[0]?.due_at ?? "");
      const wait = due - Date.parse(sandbox.control.readClock().now);
      expect(wait).toBeLessThanOrEqual(waitMs);
      expect(wait).toBeGreaterThan(waitMs - 1500);
      await sandbox.control.advanceClock(waitMs);
    }
    await eventually(async () => (await sandbox.control.listDeliveries())[0]?.state === "failed");
    expect(new Set(receiver.received.map(({ body }) => JSON.parse(body).id)).size).toBe(4);
  });
});
