import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { EVENT_NAMES } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { serialiseEvent, serialiseTestEvent } from "../src/webhooks/serialise-event.ts";
import type { Json } from "./open-sandbox.ts";

type Vector = { event: string; headers: Record<string, string>; raw: string; body: Json };
const file = await readFile(new URL("vectors/events.json", import.meta.url), "utf8");
const { secret, events } = JSON.parse(file) as { secret: string; events: Vector[] };

const vectorOf = (name: string): Vector => {
  const vector = events.find(({ event }) => event === name);
  if (vector === undefined) throw new Error(`There is no vector of ${name}.`);
  return vector;
};

/** The same values in another order, because the result must not depend on the order. */
const shuffled = (values: Record<string, unknown>) => Object.fromEntries(Object.entries(values).reverse());

describe("the serialiser", () => {
  const names = EVENT_NAMES.filter((name) => name !== "test.webhook");

  it.each(names)("the event %s is serialised byte for byte", (event) => {
    const { raw, body } = vectorOf(event);
    const { id, timestamp, data, service_environment: serviceEnvironment } = body;
    const reordered = shuffled(data.object === undefined ? data : { ...data, object: shuffled(data.object) });
    const written = serialiseEvent({ id, event, timestamp, data: reordered, serviceEnvironment });
    expect(written).toBe(raw);
  });

  it("test.webhook is serialised byte for byte", () => {
    const { raw, body } = vectorOf("test.webhook");
    const { id, timestamp, data, livemode, webhook_id: webhookId, service_environment: serviceEnvironment } = body;
    // `serialiseTestEvent` takes the fields of `data.object` and writes the object around them.
    const fields = shuffled(data.object);
    expect(serialiseTestEvent({ id, timestamp, data: fields, livemode, webhookId, serviceEnvironment })).toBe(raw);
  });

  it("the signature of each test vector is the HMAC-SHA256 of its raw body", () => {
    for (const { headers, raw } of events) {
      expect(createHmac("sha256", secret).update(raw).digest("hex")).toBe(headers["X-Service-Signature"]);
    }
  });

  it("internal fields are omitted, and a field that the data of the event lacks is not added", () => {
    const { body } = vectorOf("PAYMENT_SUCCEEDED");
    const { checkout_session_id: _, ...withoutSession } = body.data;
    const internal = { is_pos: false, fee_structure: [] };
    const values = { id: "1", event: "PAYMENT_SUCCEEDED", timestamp: "t", serviceEnvironment: "development" } as const;
    const data = JSON.parse(serialiseEvent({ ...values, data: { ...withoutSession, ...internal } })).data;
    expect(Object.keys(data)).toEqual(Object.keys(withoutSession));
  });
});
