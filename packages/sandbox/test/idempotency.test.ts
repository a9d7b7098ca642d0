import { describe, expect, it } from "vitest";
import { api, openSandbox, order, sessionCount } from "./open-sandbox.ts";

const keyHeader = { "Idempotency-Key": "order:shop:1042:1" };

describe("Idempotency-Key on POST /checkout-sessions", () => {
  it("a repeated key replays the first response, with any field order and path prefix", async () => {
    const sandbox = await openSandbox();
    const first = await api(sandbox, "POST /v1/checkout-sessions", { body: order, headers: keyHeader });
    const reordered = Object.fromEntries(Object.entries(order).reverse());
    const again = await api(sandbox, "POST /checkout-sessions", { body: reordered, headers: keyHeader });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(first.headers.get("idempotency-cache-hit")).toBeNull();
    expect(again.headers.get("idempotency-cache-hit")).toBe("true");
    expect(await sessionCount(sandbox)).toBe(1);
  });

  it("a repeated key with another body or scenario is 409 idempotency_key_reused", async () => {
    const sandbox = await openSandbox();
    await api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader });
    const other = await api(sandbox, "POST /checkout-sessions", {
      body: { ...order, amount: 26000 },
      headers: keyHeader,
    });
    expect([other.status, other.json.error]).toMatchObject([
      409,
      { code: "idempotency_key_reused", message: "Idempotency-Key was reused with a different request payload" },
    ]);
    const scenario = { ...keyHeader, "X-Scenario-Key": "pending" };
    const { json } = await api(sandbox, "POST /checkout-sessions", { body: order, headers: scenario });
    expect(json.error.code).toBe("idempotency_key_reused");
  });

  it("a repeated key during the first request is 409 idempotency_in_progress", async () => {
    const sandbox = await openSandbox();
    await sandbox.control.addFault({ method: "POST", path: "/checkout-sessions", delayMs: 2_000 });
    const first = api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader });
    // A request takes its fault when it arrives.
    await expect.poll(() => sandbox.control.listFaults()).toEqual([]);
    const second = await api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader });
    expect([second.status, second.json.error]).toMatchObject([
      409,
      { code: "idempotency_in_progress", message: "A request with this Idempotency-Key is already in progress" },
    ]);
    const { status, json } = await first;
    expect(status).toBe(201);
    const third = await api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader });
    expect(third.json.id).toBe(json.id);
  });

  it("an error of the business rules is replayed with its request_id", async () => {
    const sandbox = await openSandbox();
    const body = { ...order, product_id: "prod_23456789ABCDEF" };
    const first = await api(sandbox, "POST /checkout-sessions", { body, headers: keyHeader });
    const again = await api(sandbox, "POST /checkout-sessions", { body, headers: keyHeader });
    expect([again.status, again.text]).toEqual([404, first.text]);
    expect(again.headers.get("x-request-id")).toBe(first.json.request_id);
    expect(again.headers.get("idempotency-cache-hit")).toBe("true");
  });

  it("validation errors, 401 and 5xx are not stored, and the key can be used for another request", async () => {
    const sandbox = await openSandbox();
    await api(sandbox, "POST /checkout-sessions", { body: { ...order, title: 5 }, headers: keyHeader });
    await api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader, key: null });
    await sandbox.control.addFault({ method: "POST", path: "/checkout-sessions", status: 503 });
    expect((await api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader })).status).toBe(503);
    const { status, headers } = await api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader });
    expect([status, headers.get("idempotency-cache-hit")]).toEqual([201, null]);
  });

  it("a response that a fault altered is stored unaltered", async () => {
    const sandbox = await openSandbox();
    await sandbox.control.addFault({ method: "POST", path: "/checkout-sessions", when: "after", reset: true });
    await expect(api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader })).rejects.toThrow();
    const { headers } = await api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader });
    expect(headers.get("idempotency-cache-hit")).toBe("true");
    expect(await sessionCount(sandbox)).toBe(1);
  });

  it("a key of the test environment is independent of the same key of the live environment", async () => {
    const sandbox = await openSandbox();
    const test = await api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader });
    const live = await api(sandbox, "POST /checkout-sessions", {
      body: order,
      headers: keyHeader,
      key: sandbox.keys.live.secret,
    });
    expect([live.status, live.json.environment]).toEqual([201, "live"]);
    expect(live.json.id).not.toBe(test.json.id);
  });

  it("a key expires after 24 hours", async () => {
    const sandbox = await openSandbox();
    const first = await api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader });
    await sandbox.control.advanceClock(86_399_000);
    const replayed = await api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader });
    expect(replayed.json.id).toBe(first.json.id);
    await sandbox.control.advanceClock(2000);
    const fresh = await api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader });
    expect([fresh.status, fresh.headers.get("idempotency-cache-hit")]).toEqual([201, null]);
    expect(fresh.json.id).not.toBe(first.json.id);
  });

  it("a key must be 1 to 255 printable ASCII characters", async () => {
    const sandbox = await openSandbox();
    for (const wrong of ["", "x".repeat(256), "clé"]) {
      const { status, json } = await api(sandbox, "POST /checkout-sessions", {
        body: order,
        headers: { "Idempotency-Key": wrong },
      });
      expect([wrong, status, json.error.code]).toEqual([wrong, 400, "bad_request"]);
    }
    const { status } = await api(sandbox, "POST /checkout-sessions", {
      body: order,
      headers: { "Idempotency-Key": "x".repeat(255) },
    });
    expect(status).toBe(201);
  });

  it("twenty concurrent requests with one key create one session", async () => {
    const sandbox = await openSandbox();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api(sandbox, "POST /checkout-sessions", { body: order, headers: keyHeader })),
    );
    const ids = answers.filter(({ status }) => status === 201).map(({ json }) => json.id);
    expect(new Set(ids).size).toBe(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await sessionCount(sandbox)).toBe(1);
  });

  it("a key is ignored on endpoints without idempotency", async () => {
    const sandbox = await openSandbox();
    const body = { url: "http://127.0.0.1:9/hook", authorized_events: ["PAYMENT_SUCCEEDED"] };
    const first = await api(sandbox, "POST /webhooks", { body, headers: keyHeader });
    const second = await api(sandbox, "POST /webhooks", { body, headers: keyHeader });
    expect(second.json.id).not.toBe(first.json.id);
  });
});
