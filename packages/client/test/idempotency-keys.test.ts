import { describe, expect, test } from "vitest";
import { resetsConnection, responds, respondsWithError, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

const REFUND = { success: true, refund_id: "e2a4", transaction_id: "b7e6", refunded_amount: 5000, status: "completed" };
const BODY = { transaction_id: "b7e6d1c0-0c0f-4e55-a1f2-1d2c3b4a5f60", amount: 5000 };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe("a write without an Idempotency-Key of the caller", () => {
  test("a refund whose response was lost is repeated under the key that the client made", async () => {
    const service = await startFaultServer(resetsConnection, responds(201, REFUND));
    const { client } = testClient(service.baseUrl);
    const { idempotencyKey } = await client.refunds.create(BODY);
    expect(idempotencyKey).toMatch(UUID);
    expect(service.received.map(({ headers }) => headers["idempotency-key"])).toEqual([idempotencyKey, idempotencyKey]);
  });

  test("a confirmation is sent under the key of its preview", async () => {
    const preview = { requires_confirmation: true, confirmation_token: "token-1" };
    const service = await startFaultServer(responds(200, preview), responds(201, REFUND));
    const { client } = testClient(service.baseUrl);
    await client.refunds.create(BODY);
    const [first, second] = service.received.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(UUID);
    expect(second).toBe(first);
  });

  test("the creation of a checkout session is repeated too, although its key is optional", async () => {
    const session = { checkout_session_id: "s1", checkout_url: "https://pay.service.example/cs_1" };
    const service = await startFaultServer(resetsConnection, responds(201, session));
    const { client } = testClient(service.baseUrl);
    expect((await client.checkoutSessions.create({ amount: 5000 })).data.id).toBe("s1");
    expect(service.received).toHaveLength(2);
  });

  test("each call gets its own key", async () => {
    const service = await startFaultServer(responds(201, REFUND));
    const { client } = testClient(service.baseUrl);
    const first = await client.refunds.create(BODY);
    const second = await client.refunds.create(BODY);
    expect(first.idempotencyKey).not.toBe(second.idempotencyKey);
  });

  test("the error of a refund names the key, so that the caller can repeat the refund safely", async () => {
    const service = await startFaultServer(respondsWithError(409, "conflict"));
    const { client } = testClient(service.baseUrl);
    const error = await client.refunds.create(BODY).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ idempotencyKey: service.received[0]?.headers["idempotency-key"] });
  });

  test("a call that takes no key gets none and is not repeated", async () => {
    const service = await startFaultServer(resetsConnection);
    const { client } = testClient(service.baseUrl);
    await expect(client.customers.create({ name: "Awa" })).rejects.toMatchObject({ idempotencyKey: null });
    expect(service.received).toHaveLength(1);
    expect(service.received[0]?.headers["idempotency-key"]).toBeUndefined();
  });
});

describe("a key of the caller", () => {
  test("the caller's key is sent and the client makes none", async () => {
    const service = await startFaultServer(responds(201, REFUND));
    const { client } = testClient(service.baseUrl);
    expect((await client.refunds.create(BODY, { idempotencyKey: "refund-1" })).idempotencyKey).toBe("refund-1");
    expect(service.received[0]?.headers["idempotency-key"]).toBe("refund-1");
  });

  test("with idempotencyKeys manual a refund without a key is not sent", async () => {
    const service = await startFaultServer(responds(201, REFUND));
    const { client } = testClient(service.baseUrl, { idempotencyKeys: "manual" });
    await expect(client.refunds.create(BODY)).rejects.toMatchObject({ code: "idempotency_key_required" });
    expect(service.received).toEqual([]);
  });

  test("with idempotencyKeys manual a checkout session without a key is sent once", async () => {
    const service = await startFaultServer(resetsConnection);
    const { client } = testClient(service.baseUrl, { idempotencyKeys: "manual" });
    await expect(client.checkoutSessions.create({ amount: 5000 })).rejects.toMatchObject({ code: "connection_failed" });
    expect(service.received.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined]);
  });
});
