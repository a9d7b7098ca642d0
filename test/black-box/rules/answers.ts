import { describe, expect, it } from "vitest";
import { anId, expectInvalid, expectRefusal } from "../answer.ts";
import { endpoints, type Operation, unknownId } from "../operations.ts";
import { startService } from "../service.ts";
import { openSession, order } from "../steps.ts";

describe("Answers, headers and errors", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  it("every answer carries its own X-Request-Id", async () => {
    const answers = [await service.call("GET /transactions"), await service.call("GET /transactions")];
    const ids = answers.map((answer) => answer.headers.get("X-Request-Id"));
    for (const id of ids) expect(id).toEqual(anId);
    expect(new Set(ids).size).toBe(2);
  });

  it("all answers of the API are JSON", async () => {
    expect((await service.call("GET /transactions")).headers.get("Content-Type")).toMatch(/^application\/json\b/);
  });

  it("an error has error.code and error.message, and its request_id equals X-Request-Id", async () => {
    const answer = await service.call("GET /transactions", { key: null });
    const request_id = answer.headers.get("X-Request-Id");
    expect(answer.body).toEqual({ error: { code: "unauthorized", message: "Missing API key" }, request_id });
  });

  it("validation_failed names each field with a list of messages", async () => {
    const body = { ...order, currency_code: "GBP", title: 5 };
    const answer = await service.call("POST /checkout-sessions", { body });
    expectInvalid(answer, "currency_code");
    expectInvalid(answer, "title");
    expect(answer.body).toMatchObject({ error: { details: { currency_code: ["must be one of XOF, USD, EUR"] } } });
  });

  it("a resource that does not exist gives 404 not_found and names what is missing", async () => {
    expectRefusal(
      await service.call("GET /transactions/{id}", { params: { id: unknownId } }),
      404,
      "not_found",
      / not found$/,
    );
  });

  it.each(["GET /nothing", "POST /v1/nothing", "GET /checkout-sessions/a/b", "GET /"] as const)(
    "an unknown route (%s) gives 404 not_found",
    async (operation) => {
      expectRefusal(await service.call(operation), 404, "not_found");
    },
  );

  it("a wrong method on a known route gives 404 not_found", async () => {
    const known = new Set<string>(endpoints.map(({ operation }) => operation));
    for (const { operation } of endpoints) {
      const path = operation.slice(operation.indexOf(" "));
      for (const method of ["GET", "POST", "PATCH", "DELETE", "PUT"]) {
        const other = `${method}${path}`;
        if (known.has(other)) continue;
        const answer = await service.call(other as Operation, { params: { id: "1", webhook_id: "1", log_id: "1" } });
        if (answer.status !== 404) throw new Error(`${other} answers ${answer.status} ${answer.raw}`);
      }
    }
  });

  it.each(["{", "amount=5000&currency_code=XOF", '{"amount":5000,}', "\u0000", "{'amount':5000}"])(
    "a body that is not JSON (%s) gives 400 bad_request",
    async (raw) => {
      expectRefusal(await service.call("POST /checkout-sessions", { raw }), 400, "bad_request");
    },
  );

  it.each(["[]", '"text"', "5000", "null", "true", "[{}]"])(
    "a body that is not an object (%s) gives 400",
    async (raw) => {
      expect((await service.call("POST /checkout-sessions", { raw })).status).toBe(400);
    },
  );

  it("a body above 1 MiB gives 400 bad_request", async () => {
    const body = { ...order, more: "x".repeat(1024 * 1024) };
    expectRefusal(await service.call("POST /checkout-sessions", { body }), 400, "bad_request");
  });

  it("a body just under 1 MiB is read", async () => {
    const body = { ...order, more: "x".repeat(1024 * 1024 - 200) };
    expect((await service.call("POST /checkout-sessions", { body })).status).toBe(201);
  });

  it("a JSON body needs Content-Type application/json", async () => {
    const headers = { "Content-Type": "text/plain" };
    expect((await service.call("POST /checkout-sessions", { body: order, headers })).status).toBe(400);
    const utf8 = { "Content-Type": "application/json; charset=utf-8" };
    expect((await service.call("POST /checkout-sessions", { body: order, headers: utf8 })).status).toBe(201);
  });

  it("an unknown field is ignored", async () => {
    const session = await openSession(service.call, { colour: "red" });
    expect(session.body).not.toHaveProperty("colour");
  });

  it("a refusal never repeats a card number", async () => {
    const number = "4242424242424242";
    for (const operation of ["POST /charge/card", "POST /charge/switch", "POST /checkout-sessions"] as const) {
      const answer = await service.call(operation, { body: { amount: number, card: { number }, number, [number]: 1 } });
      expect(answer.raw).not.toContain(number);
    }
  });

  it.each([
    [500, "internal_error", "Internal server error"],
    [503, "service_unavailable", undefined],
    [429, "rate_limit_exceeded", "Too many requests"],
  ] as const)("an answer with status %d is the error object %s", async (status, code, message) => {
    const fault = { method: "GET", path: "/transactions", when: "before", status, times: 1 };
    await service.control("POST /faults", fault);
    expectRefusal(await service.call("GET /transactions"), status, code, message);
    expect((await service.call("GET /transactions")).status).toBe(200);
  });
});

describe("The order of checks", () => {
  const service = startService();
  const refund = { transaction_id: unknownId, amount: 100 };

  async function useUpWriteLimit({ call }: Pick<typeof service, "call">): Promise<void> {
    const writesPerMinute = 120;
    for (let count = 0; count < writesPerMinute; count += 1) await call("POST /checkout-sessions", { body: {} });
  }

  it("authentication is checked before the body is read", async () => {
    const answer = await service.call("POST /checkout-sessions", { key: null, raw: "{" });
    expectRefusal(answer, 401, "unauthorized", "Missing API key");
  });

  it("suspension is checked before the rate limit", async () => {
    const shop = await service.merchant();
    await useUpWriteLimit(shop);
    expectRefusal(await shop.call("POST /checkout-sessions", { body: order }), 429, "rate_limit_exceeded");
    await service.control(`PATCH /organizations/${shop.organizationId}`, { status: "suspended" });
    expectRefusal(await shop.call("POST /checkout-sessions", { body: order }), 403, "api_access_suspended");
  });

  it("the rate limit is checked before the account that Service-Account names", async () => {
    const shop = await service.merchant();
    await useUpWriteLimit(shop);
    const answer = await shop.call("POST /checkout-sessions", { body: order, account: "acct_aaaaaaaaaaaaaaaa" });
    expectRefusal(answer, 429, "rate_limit_exceeded");
  });

  it("the account that Service-Account names is checked before the idempotency header", async () => {
    const call = { body: refund, account: "acct_aaaaaaaaaaaaaaaa", idempotencyKey: null };
    // A refusal that concerns Service-Account has its reason in error.message.
    const message = "operator_not_active";
    expectRefusal(await service.call("POST /refunds", call), 403, "forbidden", message);
  });

  it("the idempotency header is checked before the body", async () => {
    const answer = await service.call("POST /refunds", { body: {}, idempotencyKey: null });
    expectRefusal(answer, 400, "idempotency_key_required");
  });

  it("the body is checked before the idempotency key is looked up", async () => {
    const idempotencyKey = "one-key";
    await service.call("POST /checkout-sessions", { body: order, idempotencyKey });
    const answer = await service.call("POST /checkout-sessions", {
      body: { ...order, amount: "5000" },
      idempotencyKey,
    });
    expectInvalid(answer, "amount");
  });

  it("the idempotency key is looked up before the business rules are checked", async () => {
    const idempotencyKey = "another-key";
    const first = await service.call("POST /refunds", { body: refund, idempotencyKey });
    expectRefusal(first, 404, "not_found");
    const other = await service.call("POST /refunds", { body: { ...refund, amount: 200 }, idempotencyKey });
    expectRefusal(other, 409, "idempotency_key_reused");
  });
});
