import { describe, expect, it } from "vitest";
import { api, openSandbox, order, sessionCount } from "./open-sandbox.ts";

const key = { "Idempotency-Key": "order:shop:1042:1" };

describe("Idempotency-Key on POST /checkout-sessions", () => {
  it("gives the first answer again, whatever the order of the fields and the prefix of the path", async () => {
    const sandbox = await openSandbox();
    const first = await api(sandbox, "POST /v1/checkout-sessions", { body: order, headers: key });
    const shuffled = Object.fromEntries(Object.entries(order).reverse());
    const again = await api(sandbox, "POST /checkout-sessions", { body: shuffled, headers: key });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(first.headers.get("idempotency-cache-hit")).toBeNull();
    expect(again.headers.get("idempotency-cache-hit")).toBe("true");
    expect(await sessionCount(sandbox)).toBe(1);
  });

  it("answers 409 idempotency_key_reused to another body, also to another scenario", async () => {
    const sandbox = await openSandbox();
    await api(sandbox, "POST /checkout-sessions", { body: order, headers: key });
    const other = await api(sandbox, "POST /checkout-sessions", { body: { ...order, amount: 26000 }, headers: key });
    expect([other.status, other.json.error]).toEqual([
      409,
      { code: "idempotency_key_reused", message: "Idempotency-Key was reused with a different request payload" },
    ]);
    const scenario = { ...key, "X-Scenario-Key": "pending" };
    const { json } = await api(sandbox, "POST /checkout-sessions", { body: order, headers: scenario });
    expect(json.error.code).toBe("idempotency_key_reused");
  });

  it("answers 409 idempotency_in_progress while the first request is running", async () => {
    const sandbox = await openSandbox();
    await sandbox.control.addFault({ method: "POST", path: "/checkout-sessions", delayMs: 400 });
    const first = api(sandbox, "POST /checkout-sessions", { body: order, headers: key });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await api(sandbox, "POST /checkout-sessions", { body: order, headers: key });
    expect([second.status, second.json.error]).toEqual([
      409,
      { code: "idempotency_in_progress", message: "A request with this Idempotency-Key is already in progress" },
    ]);
    const { status, json } = await first;
    expect(status).toBe(201);
    const third = await api(sandbox, "POST /checkout-sessions", { body: order, headers: key });
    expect(third.json.id).toBe(json.id);
  });

  it("repeats an error of the business rules, request_id included", async () => {
    const sandbox = await openSandbox();
    const body = { ...order, product_id: "prod_23456789ABCDEF" };
    const first = await api(sandbox, "POST /checkout-sessions", { body, headers: key });
    const again = await api(sandbox, "POST /checkout-sessions", { body, headers: key });
    expect([again.status, again.text]).toEqual([404, first.text]);
    expect(again.headers.get("x-request-id")).toBe(first.json.request_id);
    expect(again.headers.get("idempotency-cache-hit")).toBe("true");
  });

  it("does not keep validation errors, nor answers of 401 and 5xx: the key is free again", async () => {
    const sandbox = await openSandbox();
    await api(sandbox, "POST /checkout-sessions", { body: { ...order, title: 5 }, headers: key });
    await api(sandbox, "POST /checkout-sessions", { body: order, headers: key, key: null });
    await sandbox.control.addFault({ method: "POST", path: "/checkout-sessions", status: 503 });
    expect((await api(sandbox, "POST /checkout-sessions", { body: order, headers: key })).status).toBe(503);
    const { status, headers } = await api(sandbox, "POST /checkout-sessions", { body: order, headers: key });
    expect([status, headers.get("idempotency-cache-hit")]).toEqual([201, null]);
  });

  it("keeps the answer when it was spoiled on the way back", async () => {
    const sandbox = await openSandbox();
    await sandbox.control.addFault({ method: "POST", path: "/checkout-sessions", when: "after", reset: true });
    await expect(api(sandbox, "POST /checkout-sessions", { body: order, headers: key })).rejects.toThrow();
    const { headers } = await api(sandbox, "POST /checkout-sessions", { body: order, headers: key });
    expect(headers.get("idempotency-cache-hit")).toBe("true");
    expect(await sessionCount(sandbox)).toBe(1);
  });

  it("keeps test and live apart", async () => {
    const sandbox = await openSandbox();
    const test = await api(sandbox, "POST /checkout-sessions", { body: order, headers: key });
    const live = await api(sandbox, "POST /checkout-sessions", {
      body: order,
      headers: key,
      key: sandbox.keys.live.secret,
    });
    expect([live.status, live.json.environment]).toEqual([201, "live"]);
    expect(live.json.id).not.toBe(test.json.id);
  });

  it("is forgotten after 24 hours", async () => {
    const sandbox = await openSandbox();
    const first = await api(sandbox, "POST /checkout-sessions", { body: order, headers: key });
    await sandbox.control.advanceClock(86_399_000);
    const replayed = await api(sandbox, "POST /checkout-sessions", { body: order, headers: key });
    expect(replayed.json.id).toBe(first.json.id);
    await sandbox.control.advanceClock(2000);
    const fresh = await api(sandbox, "POST /checkout-sessions", { body: order, headers: key });
    expect([fresh.status, fresh.headers.get("idempotency-cache-hit")]).toEqual([201, null]);
    expect(fresh.json.id).not.toBe(first.json.id);
  });

  it("must be 1 to 255 printable ASCII characters", async () => {
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

  it("opens one session for twenty requests at once", async () => {
    const sandbox = await openSandbox();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api(sandbox, "POST /checkout-sessions", { body: order, headers: key })),
    );
    const ids = answers.filter(({ status }) => status === 201).map(({ json }) => json.id);
    expect(new Set(ids).size).toBe(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await sessionCount(sandbox)).toBe(1);
  });

  it("is ignored where the service takes none", async () => {
    const sandbox = await openSandbox();
    const body = { url: "http://127.0.0.1:9/hook", authorized_events: ["PAYMENT_SUCCEEDED"] };
    const first = await api(sandbox, "POST /webhooks", { body, headers: key });
    const second = await api(sandbox, "POST /webhooks", { body, headers: key });
    expect(second.json.id).not.toBe(first.json.id);
  });
});
