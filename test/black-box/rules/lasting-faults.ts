import { afterEach, describe, expect, it } from "vitest";
import { expectRefusal } from "../answer.ts";
import { hour, minute, startService } from "../service.ts";
import { openSession, order, paidSession, refund } from "../steps.ts";

const READ = { method: "GET", path: "/checkout-sessions/{id}" } as const;
const OPEN = { method: "POST", path: "/checkout-sessions" } as const;
const REFUND = { method: "POST", path: "/refunds" } as const;

describe("The control API: lasting faults, faults of repeated requests, and empty answers", () => {
  const service = startService();
  afterEach(() => service.control("DELETE /faults"));
  const fault = (request: object) => service.control("POST /faults", request);
  const read = (id: string) => service.call("GET /checkout-sessions/{id}", { params: { id } });

  it.each([
    [400, "bad_request"],
    [400, "validation_failed"],
    [400, "amount_invalid"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [403, "api_access_suspended"],
    [404, "not_found"],
    [409, "conflict"],
    [409, "idempotency_in_progress"],
    [409, "idempotency_key_reused"],
    [429, "rate_limit_exceeded"],
    [500, "internal_error"],
    [503, "service_unavailable"],
  ])("a read of a session that exists answers %i %s once, then the session", async (status, code) => {
    const id = (await openSession(service.call)).text("id");
    await fault({ ...READ, status, code });
    expectRefusal(await read(id), status, code);
    expect((await read(id)).text("status")).toBe("open");
  });

  it.each([
    ["object", "{}"],
    ["body", ""],
  ])("a read answers 200 with an empty %s", async (empty, raw) => {
    const id = (await openSession(service.call)).text("id");
    await fault({ ...READ, empty });
    const answer = await read(id);
    expect([answer.status, answer.raw]).toEqual([200, raw]);
    expect((await read(id)).text("id")).toBe(id);
  });

  it("a write that is answered with an empty 200 took effect, unless the fault has when: before", async () => {
    const open = () => service.call("POST /checkout-sessions", { body: order, idempotencyKey: "emptied" });
    await fault({ ...OPEN, empty: "object", when: "before" });
    expect((await open()).raw).toBe("{}");
    await fault({ ...OPEN, empty: "object" });
    expect([(await open()).raw, (await open()).headers.get("Idempotency-Cache-Hit")]).toEqual(["{}", "true"]);
  });

  it("a fault with patch removes the ids of created resources from a success", async () => {
    await fault({ ...OPEN, patch: { id: null, checkout_session_id: null } });
    const opened = await openSession(service.call);
    expect(opened.body).not.toHaveProperty("id");
    expect(opened.body).not.toHaveProperty("checkout_session_id");
    expect(opened.text("checkout_url")).toContain("/cs_");
    const { transactionId } = await paidSession(service, service.call);
    await fault({ ...REFUND, patch: { refund_id: null } });
    expect((await refund(service.call, transactionId, 100)).body).not.toHaveProperty("refund_id");
    expect((await service.call("GET /refunds")).rows("data")).toMatchObject([{ transaction_id: transactionId }]);
  });

  it("a fault with forMs strikes every request until that time has passed on the sandbox's clock", async () => {
    const id = (await openSession(service.call)).text("id");
    const added = await fault({ ...READ, status: 404, forMs: hour });
    expect(Date.parse(added.text("until"))).toBeGreaterThan(Date.now());
    await service.advance(hour - minute);
    expect([(await read(id)).status, (await read(id)).status]).toEqual([404, 404]);
    expect((await service.control("GET /faults")).rows()).toHaveLength(1);
    await service.advance(minute);
    expect((await read(id)).status).toBe(200);
    expect((await service.control("GET /faults")).rows()).toEqual([]);
  });

  it("a fault with a share strikes that share of the requests, and the same requests for the same seed", async () => {
    const id = (await openSession(service.call)).text("id");
    const statuses = async (seed: string) => {
      await fault({ ...READ, status: 404, share: 0.3, seed });
      const seen: number[] = [];
      while (seen.length < 40) seen.push((await read(id)).status);
      await service.control("DELETE /faults");
      return seen;
    };
    const first = await statuses("a");
    // A share of 0.3 is 12 of 40 requests on average.
    const hits = first.filter((status) => status === 404).length;
    expect(hits).toBeGreaterThan(4);
    expect(hits).toBeLessThan(24);
    expect(await statuses("a")).toEqual(first);
    expect(await statuses("b")).not.toEqual(first);
  });

  it.each([
    [404, "not_found"],
    [409, "conflict"],
    [400, "bad_request"],
  ])("the repeat of a write whose answer was lost can be refused with %i %s", async (status, code) => {
    const { transactionId } = await paidSession(service, service.call);
    const body = { transaction_id: transactionId, amount: 100 };
    const requestRefund = () => service.call("POST /refunds", { body, idempotencyKey: `refund-${status}` });
    await fault({ ...REFUND, when: "after", reset: true });
    await fault({ ...REFUND, repeat: true, status });
    await expect(requestRefund()).rejects.toThrow();
    expectRefusal(await requestRefund(), status, code);
    const again = await requestRefund();
    expect([again.status, again.headers.get("Idempotency-Cache-Hit")]).toEqual([201, "true"]);
    const made = (await service.call("GET /refunds")).rows("data");
    expect(made.filter((row) => row.transaction_id === transactionId)).toHaveLength(1);
  });

  it("a fault with repeat does not affect first requests", async () => {
    await fault({ ...OPEN, repeat: true, status: 404, times: 10 });
    expect((await service.call("POST /checkout-sessions", { body: order, idempotencyKey: "first" })).status).toBe(201);
    expect((await service.call("POST /checkout-sessions", { body: order, idempotencyKey: "second" })).status).toBe(201);
    expect((await service.call("POST /checkout-sessions", { body: order, idempotencyKey: "first" })).status).toBe(404);
  });

  it.each([
    { status: 404, code: "conflict" },
    { status: 404, code: "gone" },
    { code: "not_found" },
    { empty: "array" },
    { empty: "object", status: 404 },
    { status: 404, share: 1 },
    { status: 404, share: 0 },
    { status: 404, seed: "a" },
    { status: 404, forMs: 0 },
    { status: 404, repeat: true, when: "before" },
    { delayMs: 5, repeat: true },
  ])("a contradictory fault (%j) is refused with a message", async (change) => {
    const answer = await service.tryControl("POST /faults", { ...READ, ...change });
    expect(answer.status).toBe(400);
    expect(answer.text("error.message")).toMatch(/^The fault is not understood: /);
  });
});
