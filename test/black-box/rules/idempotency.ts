import { describe, expect, it } from "vitest";
import { waitFor } from "../../waiting/wait-for.ts";
import { type Answer, expectInvalid, expectRefusal } from "../answer.ts";
import { endpoints, unknownId } from "../operations.ts";
import { hour, minute, type Send, startService } from "../service.ts";
import { openSession, order, paidSession, readSession } from "../steps.ts";

const keyedOperations = endpoints.filter((endpoint) => endpoint.keyed).map(({ operation }) => operation);
const reusedMessage = "Idempotency-Key was reused with a different request payload";
const inProgressMessage = "A request with this Idempotency-Key is already in progress";

describe("Idempotency", () => {
  const service = startService();
  const create = (call: Send, idempotencyKey: string, change: object = {}, more: object = {}) =>
    call("POST /checkout-sessions", { body: { ...order, ...change }, idempotencyKey, ...more });

  it.each(keyedOperations)("%s without Idempotency-Key gives 400 idempotency_key_required", async (operation) => {
    const answer = await service.call(operation, { body: {}, idempotencyKey: null });
    expectRefusal(answer, 400, "idempotency_key_required", "Idempotency-Key header is required");
  });

  it("the key is optional for checkout sessions, and without it each request makes a session", async () => {
    const shop = await service.merchant();
    const [first, second] = [await openSession(shop.call), await openSession(shop.call)];
    expect(first.text("id")).not.toBe(second.text("id"));
    expect(first.headers.has("Idempotency-Cache-Hit")).toBe(false);
  });

  it("the same key with the same body gives the first answer again, marked as a replay", async () => {
    const shop = await service.merchant();
    const first = await create(shop.call, "order:shop:1042:1");
    const again = await create(shop.call, "order:shop:1042:1");
    expect(first.headers.has("Idempotency-Cache-Hit")).toBe(false);
    expectReplay(first, again);
  });

  it("a replay gives the first answer even after the session was paid", async () => {
    const shop = await service.merchant();
    const first = await create(shop.call, "key");
    await service.control(`POST /checkout-sessions/${first.text("id")}/pay`, { method: "card", outcome: "completed" });
    expectReplay(first, await create(shop.call, "key"));
    expect((await readSession(shop.call, first.text("id"))).text("status")).toBe("completed");
  });

  it("the order of a body's fields and white space do not matter", async () => {
    const shop = await service.merchant();
    const first = await create(shop.call, "key", { metadata: { a: "1", b: "2" } });
    const raw = `{ "title": "Order 1042",\n "metadata": {"b":"2","a":"1"}, "currency_code": "XOF", "amount": 5000 }`;
    expectReplay(first, await create(shop.call, "key", {}, { body: undefined, raw }));
  });

  it("a request with the prefix /v1 replays the answer to the request without the prefix", async () => {
    const shop = await service.merchant();
    expectReplay(await create(shop.call, "key"), await create(shop.call, "key", {}, { prefix: "/v1" }));
  });

  it("the same key with a different body gives 409 idempotency_key_reused", async () => {
    const shop = await service.merchant();
    const first = await create(shop.call, "key");
    expectRefusal(await create(shop.call, "key", { amount: 6000 }), 409, "idempotency_key_reused", reusedMessage);
    expectReplay(first, await create(shop.call, "key"));
  });

  it("the same key on another path gives 409 idempotency_key_reused", async () => {
    const shop = await service.merchant();
    await create(shop.call, "key");
    const body = { transaction_id: unknownId, amount: 5000 };
    const answer = await shop.call("POST /refunds", { body, idempotencyKey: "key" });
    expectRefusal(answer, 409, "idempotency_key_reused", reusedMessage);
  });

  it("the same key while the first request runs gives 409 idempotency_in_progress, and the key stays in use", async () => {
    const shop = await service.merchant();
    await service.control("POST /faults", { ...fault, when: "before", delayMs: 2_000 });
    const running = create(shop.call, "key");
    // A request takes its fault when it arrives.
    await waitFor(async () => expect((await service.control("GET /faults")).rows()).toEqual([]));
    expectRefusal(await create(shop.call, "key"), 409, "idempotency_in_progress", inProgressMessage);
    expectReplay(await running, await create(shop.call, "key"));
  });

  it("a refusal by the business rules is replayed with its first request_id", async () => {
    const shop = await service.merchant();
    const change = { customer_id: unknownId };
    const first = await create(shop.call, "key", change);
    const again = await create(shop.call, "key", change);
    expectRefusal(first, 404, "not_found");
    expectReplay(first, again);
    expect(again.headers.get("X-Request-Id")).toBe(first.headers.get("X-Request-Id"));
  });

  it("a validation error is not stored, and the key can be used for the corrected body", async () => {
    const shop = await service.merchant();
    expectInvalid(await create(shop.call, "key", { amount: "5000" }), "amount");
    expect((await create(shop.call, "key")).status).toBe(201);
  });

  it("the answers 401 and 403 are not stored under the idempotency key", async () => {
    const shop = await service.merchant();
    await create(shop.call, "key", {}, { key: null });
    await create(shop.call, "key", {}, { key: shop.keys.test.publishable });
    expectFresh(await create(shop.call, "key"));
  });

  it("the answer 429 is not stored under the idempotency key", async () => {
    const shop = await service.merchant();
    const writesPerMinute = 120;
    for (let count = 0; count < writesPerMinute; count += 1) await shop.call("POST /checkout-sessions", { body: {} });
    expectRefusal(await create(shop.call, "key"), 429, "rate_limit_exceeded");
    await service.advance(2 * minute);
    expectFresh(await create(shop.call, "key"));
  });

  it("a 5xx before the request took effect is not stored", async () => {
    const shop = await service.merchant();
    await service.control("POST /faults", { ...fault, when: "before", status: 503 });
    expectRefusal(await create(shop.call, "key"), 503, "service_unavailable");
    expectFresh(await create(shop.call, "key"));
  });

  it.each([503, 500])("the true answer is replayed after a request took effect and was answered %d", async (status) => {
    const shop = await service.merchant();
    await service.control("POST /faults", { ...fault, when: "after", status });
    expect((await create(shop.call, "key")).status).toBe(status);
    const again = await create(shop.call, "key");
    expect(again.headers.get("Idempotency-Cache-Hit")).toBe("true");
    expect((await readSession(shop.call, again.text("id"))).text("status")).toBe("open");
  });

  it("the answer is replayed after a request took effect and its connection was reset", async () => {
    const shop = await service.merchant();
    await service.control("POST /faults", { ...fault, when: "after", reset: true });
    await expect(create(shop.call, "key")).rejects.toThrow();
    expect((await create(shop.call, "key")).headers.get("Idempotency-Cache-Hit")).toBe("true");
  });

  it("an idempotency key is stored for 24 hours", async () => {
    const shop = await service.merchant();
    const first = await create(shop.call, "key");
    await service.advance(24 * hour - minute);
    expectReplay(first, await create(shop.call, "key"));
    await service.advance(2 * minute);
    const later = await create(shop.call, "key");
    expectFresh(later);
    expect(later.text("id")).not.toBe(first.text("id"));
  });

  it("a key belongs to one organization and one environment", async () => {
    const [mine, theirs] = [await service.merchant(), await service.merchant()];
    const answers = [await create(mine.call, "key"), await create(mine.live, "key"), await create(theirs.call, "key")];
    for (const answer of answers) expectFresh(answer);
    expect(new Set(answers.map((answer) => answer.text("id"))).size).toBe(3);
  });

  it("a key has 1 to 255 printable ASCII characters", async () => {
    const shop = await service.merchant();
    const longest = `${"~ !order:shop/1042".padEnd(254, "x")}~`;
    for (const key of ["1", longest]) expectFresh(await create(shop.call, key));
    for (const key of ["", `${longest}x`, "clé", "tab\tkey"]) {
      expectRefusal(await create(shop.call, key), 400, "bad_request");
    }
  });

  it("an endpoint that uses no idempotency key, such as POST /webhooks, ignores the header", async () => {
    const shop = await service.merchant();
    const call = {
      body: { url: "http://127.0.0.1:9/hooks", authorized_events: ["PAYMENT_SUCCEEDED"] },
      idempotencyKey: "key",
    };
    const [first, second] = [await shop.call("POST /webhooks", call), await shop.call("POST /webhooks", call)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text("id")).not.toBe(first.text("id"));
    expect((await shop.call("GET /transactions", { idempotencyKey: "" })).status).toBe(200);
  });

  it("five concurrent requests under one key make one session", async () => {
    const shop = await service.merchant();
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(shop.call, "key")));
    const made = answers.filter((answer) => answer.status === 201).map((answer) => answer.text("id"));
    expect(new Set(made).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectRefusal(answer, 409, "idempotency_in_progress", inProgressMessage);
    }
  });

  it("a refund repeated under its key moves money once", async () => {
    const shop = await service.merchant();
    const { transactionId } = await paidSession(service, shop.call);
    const call = { body: { transaction_id: transactionId, amount: 1000 }, idempotencyKey: "refund" };
    const first = await shop.call("POST /refunds", call);
    expect(first.status).toBe(201);
    expectReplay(first, await shop.call("POST /refunds", call));
    const transaction = await shop.call("GET /transactions/{id}", { params: { id: transactionId } });
    expect(transaction.number("refunded_amount")).toBe(1000);
  });

  it("X-Scenario-Key is part of the request that a key identifies", async () => {
    const shop = await service.merchant();
    const body = { amount: 500, currency: "XOF", customer: { name: "Awa", phoneNumber: "+2250700000000" } };
    const charge = (headers: Record<string, string>) =>
      shop.call("POST /charge/wave", { body, idempotencyKey: "key", headers });
    expect((await charge({ "X-Scenario-Key": "pending" })).status).toBe(201);
    expectRefusal(await charge({}), 409, "idempotency_key_reused", reusedMessage);
  });
});

const fault = { method: "POST", path: "/checkout-sessions", times: 1 };

function expectReplay(first: Answer, again: Answer): void {
  expect(again.headers.get("Idempotency-Cache-Hit")).toBe("true");
  expect({ status: again.status, raw: again.raw }).toEqual({ status: first.status, raw: first.raw });
}

function expectFresh(answer: Answer): void {
  expect(answer.status).toBe(201);
  expect(answer.headers.has("Idempotency-Cache-Hit")).toBe(false);
}
