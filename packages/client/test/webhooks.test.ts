import { parseEvent, signWebhook, verifyEvent, verifyWebhook } from "@tillkit/client/webhooks";
import { verifyEvent as verifyEventOnTheWeb } from "@tillkit/client/webhooks/web";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startOwnTime } from "../../../test/waiting/own-time.ts";
import { responds, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";
import vectors from "./vectors/events.json" with { type: "json" };

const bytesOf = (text: string) => new TextEncoder().encode(text);
const { secret } = vectors;
const [first] = vectors.events;
const body = bytesOf(first?.raw ?? "");
const signature = first?.signature ?? "";

describe("the service's signature", () => {
  test.each(vectors.events.map((vector) => [vector.event, vector] as const))(
    "the signature of %s equals the signature that the service sent",
    (_, vector) => {
      expect(signWebhook(bytesOf(vector.raw), secret)).toBe(vector.signature);
      expect(verifyWebhook({ bytes: bytesOf(vector.raw), signature: vector.signature, secrets: [secret] })).toEqual({
        secretIndex: 0,
      });
    },
  );

  test("verifyWebhook returns the index of the secret that signed the body", () => {
    expect(verifyWebhook({ bytes: body, signature, secrets: ["whsec_new", secret] })).toEqual({ secretIndex: 1 });
  });

  test("either of two signatures verifies the body during a rotation", () => {
    const both = `${signWebhook(body, "whsec_new")}, ${signature}`;
    expect(verifyWebhook({ bytes: body, signature: both, secrets: ["whsec_new"] })).toEqual({ secretIndex: 0 });
    expect(verifyWebhook({ bytes: body, signature: both, secrets: [secret] })).toEqual({ secretIndex: 0 });
  });

  test("a signature header of 60 KB is rejected in linear time", () => {
    const costOf = (size: number) => {
      const hostile = `${signature}${" ".repeat(size)}x`;
      const times = [1, 2, 3].map(() => {
        const ownTime = startOwnTime();
        expect(verifyWebhook({ bytes: body, signature: hostile, secrets: [secret] })).toBeNull();
        return ownTime();
      });
      return Math.min(...times);
    };
    // A quadratic pattern took 16 times as long, 3.2 seconds, for 4 times the length. The floor of 100 ms absorbs noise.
    expect(costOf(60_000)).toBeLessThan(Math.max(8 * costOf(15_000), 100));
  });

  test("a signature in upper case verifies the body", () => {
    expect(verifyWebhook({ bytes: body, signature: signature.toUpperCase(), secrets: [secret] })).toEqual({
      secretIndex: 0,
    });
  });

  test.each([
    ["is missing", undefined],
    ["is empty", ""],
    ["comes in two headers", [signature, signature]],
    ["comes in no header", []],
    ["is one character short", signature.slice(1)],
    ["is one character long", `${signature}0`],
    ["has a character that is no hexadecimal digit", `g${signature.slice(1)}`],
    ["has full-width digits", `${signature.slice(1)}０`],
    ["comes with an empty signature", `${signature},`],
    ["comes with a malformed signature", `${signature},rubbish`],
    ["comes three times", [signature, signature, signature].join(",")],
    ["has a prefix", `sha256=${signature}`],
    ["ends with a line break", `${signature}\n`],
  ])("a signature is rejected when it %s", (_, header) => {
    expect(verifyWebhook({ bytes: body, signature: header, secrets: [secret] })).toBeNull();
  });

  test("a signature is rejected for a body that was serialized again", () => {
    const pretty = bytesOf(JSON.stringify(JSON.parse(first?.raw ?? ""), null, 1));
    expect(verifyWebhook({ bytes: pretty, signature, secrets: [secret] })).toBeNull();
  });

  test("a signature is rejected without a secret and with an empty secret", () => {
    expect(verifyWebhook({ bytes: body, signature, secrets: [] })).toBeNull();
    expect(verifyWebhook({ bytes: body, signature: signWebhook(body, ""), secrets: [""] })).toBeNull();
  });

  test("a signature is rejected for every other body", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(255), (bytes, flip) => {
        const changed = Uint8Array.from([...bytes, flip]);
        return verifyWebhook({ bytes: changed, signature: signWebhook(bytes, secret), secrets: [secret] }) === null;
      }),
    );
  });
});

describe("reading an event", () => {
  test.each(vectors.events.map((vector) => [vector.event, vector] as const))(
    "the fields of %s are read",
    (name, vector) => {
      const event = parseEvent(bytesOf(vector.raw));
      expect(event).toMatchObject({ event: name, id: JSON.parse(vector.raw).id });
      if (name.startsWith("PAYMENT_"))
        expect(event).toMatchObject({
          sessionId: "6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33",
          transactionId: "b7e6d1c0-0c0f-4e55-a1f2-1d2c3b4a5f60",
          environment: "test",
          metadata: { order_id: "1042" },
        });
      if (name.startsWith("REFUND_")) expect(event?.refundId).toBeDefined();
      if (name.startsWith("SUBSCRIPTION_")) expect(event?.subscriptionId).toBeDefined();
      if (name.startsWith("DISPUTE_")) expect(event?.disputeId).toBeDefined();
    },
  );

  test("an event with its resource under data.object is read", () => {
    const event = parseEvent(bytesOf('{"event":"PAYMENT_SUCCEEDED","data":{"object":{"transaction_id":"t1"}}}'));
    expect(event?.transactionId).toBe("t1");
  });

  test("the session id is read from the metadata when the event lacks it", () => {
    const event = parseEvent(bytesOf('{"event":"PAYMENT_SUCCEEDED","data":{"metadata":{"checkout_session_id":"s1"}}}'));
    expect(event?.sessionId).toBe("s1");
  });

  test("event fields of another type are absent", () => {
    const event = parseEvent(bytesOf('{"event":"X","data":{"checkout_session_id":7,"metadata":[],"status":null}}'));
    expect(event).toMatchObject({ event: "X", sessionId: undefined, metadata: undefined, status: undefined });
  });

  test.each(vectors.events.map((vector) => [vector.event, vector] as const))(
    "%s in a delivery log is read as it was delivered",
    async (_, { raw }) => {
      const rows = [JSON.parse(raw), raw].map((payload, at) => ({ id: `log-${at}`, payload }));
      const service = await startFaultServer(responds(200, rows));
      const { client } = testClient(service.baseUrl);
      const logs = await client.webhooks.logs("wh_7K2MPQ9XW4ZTBD").toArray({ limit: 9 });
      for (const { payload = {} } of logs) expect(parseEvent(payload)).toEqual(parseEvent(bytesOf(raw)));
      expect(logs).toHaveLength(2);
    },
  );

  test.each([
    ["a text", "no JSON"],
    ["a list", "[]"],
    ["missing", undefined],
    ["a number", 7],
  ])("a delivery log whose payload is %s has none", async (_, payload) => {
    const service = await startFaultServer(responds(200, [{ id: "log-1", payload }]));
    const { client } = testClient(service.baseUrl);
    expect((await client.webhooks.logs("wh_7K2MPQ9XW4ZTBD")).data.items).toMatchObject([{ payload: undefined }]);
  });

  test("parseEvent returns null for bytes that are no event and never throws", () => {
    const deep = bytesOf("[".repeat(100_000));
    for (const bytes of [deep, bytesOf("null"), bytesOf("[]"), bytesOf('{"data":{}}'), Uint8Array.of(0xff)])
      expect(parseEvent(bytes)).toBeNull();
    fc.assert(fc.property(fc.json(), (json) => parseEvent(bytesOf(json)) !== undefined));
    fc.assert(fc.property(fc.uint8Array(), (bytes) => parseEvent(bytes) !== undefined));
  });
});

describe("verifying an event in one call", () => {
  test.each(vectors.events.map((vector) => [vector.event, vector] as const))(
    "%s is verified and typed",
    async (name, vector) => {
      const delivery = { bytes: bytesOf(vector.raw), signature: vector.signature, secrets: ["whsec_new", secret] };
      const event = verifyEvent(delivery);
      expect(event).toEqual(parseEvent(delivery.bytes));
      expect(event.event).toBe(name);
      expect(await verifyEventOnTheWeb(delivery)).toEqual(event);
    },
  );

  const signed = (text: string) => ({ bytes: bytesOf(text), signature: signWebhook(bytesOf(text), secret) });

  test.each([
    ["no signature header", { signature: undefined }, "signature_missing"],
    ["an empty signature header", { signature: "" }, "signature_missing"],
    ["two signature headers", { signature: [signature, signature] }, "signature_malformed"],
    ["a malformed signature", { signature: "sha256=abc" }, "signature_malformed"],
    ["a secret of another endpoint", { secrets: ["whsec_other"] }, "signature_mismatch"],
    ["a body that was changed", { bytes: bytesOf(`${first?.raw} `) }, "signature_mismatch"],
    ["no secret", { secrets: [] }, "secret_missing"],
    ["only an empty secret", { secrets: [""] }, "secret_missing"],
    ["a signed body that is no event", signed("[]"), "event_unreadable"],
  ])("a delivery with %s is refused, and the error names the reason", async (_name, change, code) => {
    const delivery = { bytes: body, signature, secrets: [secret], ...change };
    expect(() => verifyEvent(delivery)).toThrow(expect.objectContaining({ code }));
    await expect(verifyEventOnTheWeb(delivery)).rejects.toMatchObject({ code });
  });
});

describe("the resource of an event", () => {
  const eventOf = (name: string) => parseEvent(bytesOf(vectors.events.find(({ event }) => event === name)?.raw ?? ""));

  test("a payment event holds its transaction", () => {
    const event = eventOf("PAYMENT_SUCCEEDED");
    if (event?.event !== "PAYMENT_SUCCEEDED") throw new Error("another event");
    expect(event.transaction).toMatchObject({ status: "completed", grossAmount: 25000, currencyCode: "XOF" });
  });

  test("a failed payment tells why it failed", () => {
    const event = eventOf("PAYMENT_FAILED");
    if (event?.event !== "PAYMENT_FAILED") throw new Error("another event");
    expect(event.transaction).toMatchObject({ status: "failed", failureCode: expect.any(String) });
  });

  test("a refund event holds its refund", () => {
    const event = eventOf("REFUND_COMPLETED");
    if (event?.event !== "REFUND_COMPLETED") throw new Error("another event");
    expect(event.refund).toMatchObject({ status: "completed", amount: 5000 });
  });

  test("a changed subscription holds its earlier values and who changed it", () => {
    const event = eventOf("SUBSCRIPTION_UPDATED");
    if (event?.event !== "SUBSCRIPTION_UPDATED") throw new Error("another event");
    expect(event.subscription).toMatchObject({ status: "paused", planName: "Pro Monthly", billingInterval: "month" });
    expect(event.subscription?.nextBillingDate).toBe(Date.UTC(2026, 6, 1));
    expect(event.previousAttributes).toEqual({ status: "active" });
    expect(event.context).toEqual({ source: "merchant_api", actor: "merchant" });
  });

  test("a dispute event holds its deadline and its outcome", () => {
    const event = eventOf("DISPUTE_CLOSED");
    if (event?.event !== "DISPUTE_CLOSED") throw new Error("another event");
    expect(event.dispute).toMatchObject({ outcome: "won", evidenceDueBy: Date.UTC(2026, 2, 20), amount: 25000 });
  });

  test.each(["PAYMENT_SUCCEEDED", "REFUND_FAILED", "DISPUTE_CREATED", "SUBSCRIPTION_UPDATED", "SUBSCRIPTION_RENEWED"])(
    "%s without the id of its resource holds no resource",
    (name) => {
      const event = parseEvent(bytesOf(JSON.stringify({ event: name, data: { status: "x" } })));
      for (const resource of ["transaction", "refund", "dispute", "subscription"])
        expect(event).not.toHaveProperty(resource);
    },
  );

  test("an event that this version does not know keeps its name and its data", () => {
    expect(parseEvent(bytesOf('{"event":"PAYMENT_REVERSED","data":{"transaction_id":"t1"}}'))).toMatchObject({
      event: "PAYMENT_REVERSED",
      transactionId: "t1",
    });
  });
});
