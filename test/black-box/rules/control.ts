import { describe, expect, it } from "vitest";
import { aTime, expectRefusal } from "../answer.ts";
import { unknownId } from "../operations.ts";
import { hour, minute, second, startService } from "../service.ts";
import { listen, openSession, order, paidSession, pay, readSession, readTransaction, transactionOf } from "../steps.ts";

/** Node's timers may fire slightly before the time that `performance.now` measures. */
const timerToleranceMs = 5;

describe("The control API: faults", () => {
  const service = startService();
  const create = (idempotencyKey = "key-of-this-test") =>
    service.call("POST /checkout-sessions", { body: order, idempotencyKey });
  const fault = (change: object) =>
    service.control("POST /faults", { method: "POST", path: "/checkout-sessions", times: 1, ...change });

  it.each([400, 404, 409, 429, 500, 502, 503])(
    "a fault with status %d before a request prevents the request and answers the error object",
    async (status) => {
      const key = `status-${status}`;
      await fault({ when: "before", status });
      expect((await create(key)).status).toBe(status);
      expect((await create(key)).headers.has("Idempotency-Cache-Hit")).toBe(false);
    },
  );

  it("a fault with a status after a request replaces the answer, but the request took effect", async () => {
    await fault({ when: "after", status: 500 });
    expectRefusal(await create("after"), 500, "internal_error", "Internal server error");
    expect((await create("after")).headers.get("Idempotency-Cache-Hit")).toBe("true");
  });

  it.each([
    ["before", false],
    ["after", true],
  ])("a reset %s a request breaks the connection (the request takes effect: %s)", async (when, tookEffect) => {
    await fault({ when, reset: true });
    await expect(create(`reset-${when}`)).rejects.toThrow();
    expect((await create(`reset-${when}`)).headers.has("Idempotency-Cache-Hit")).toBe(tookEffect);
  });

  it("a fault with cutBody ends the answer in the middle", async () => {
    await fault({ when: "after", cutBody: true });
    await expect(create("cut")).rejects.toThrow();
    expect((await create("cut")).headers.get("Idempotency-Cache-Hit")).toBe("true");
  });

  it("a fault with delayMs delays the answer", async () => {
    await fault({ when: "before", delayMs: 200 });
    const started = performance.now();
    expect((await create("delay")).status).toBe(201);
    expect(performance.now() - started).toBeGreaterThanOrEqual(200 - timerToleranceMs);
  });

  it("a fault with patch falsifies a read, and null removes a field", async () => {
    const id = (await create("patch")).text("id");
    const patch = { amount: 1, currency_code: null, metadata: { forged: "yes" } };
    await fault({ method: "GET", path: "/checkout-sessions/{id}", when: "after", patch });
    const falsified = await readSession(service.call, id);
    expect(falsified.body).toMatchObject({ amount: 1, metadata: { forged: "yes" }, status: "open" });
    expect(falsified.body).not.toHaveProperty("currency_code");
    expect((await readSession(service.call, id)).body).toMatchObject({
      amount: 5000,
      currency_code: "XOF",
      metadata: {},
    });
  });

  it("a fault strikes as often as `times` says", async () => {
    await fault({ when: "before", status: 503, times: 2 });
    expect([(await create("t1")).status, (await create("t2")).status, (await create("t3")).status]).toEqual([
      503, 503, 201,
    ]);
  });

  it("a fault strikes only its own method and path, with and without /v1, for any id", async () => {
    const id = (await create("own")).text("id");
    await fault({ method: "GET", path: "/checkout-sessions/{id}", when: "before", status: 503 });
    expect((await create("own-2")).status).toBe(201);
    expect((await service.call("GET /transactions")).status).toBe(200);
    const read = { params: { id }, prefix: "/v1" } as const;
    expect((await service.call("GET /checkout-sessions/{id}", read)).status).toBe(503);
  });

  it("faults are listed and deleted", async () => {
    await fault({ when: "before", status: 503, times: 5 });
    expect((await service.control("GET /faults")).rows()).toMatchObject([
      { method: "POST", path: "/checkout-sessions", status: 503, times: 5 },
    ]);
    await service.control("DELETE /faults");
    expect((await service.control("GET /faults")).rows()).toEqual([]);
    expect((await create("after-delete")).status).toBe(201);
  });

  it.each([
    {},
    { when: "sometimes", status: 503 },
    { when: "before" },
    { when: "before", status: 503, times: 0 },
    { when: "before", status: "x" },
  ])("an invalid fault (%j) is refused with a message", async (change) => {
    const base = Object.keys(change).length === 0 ? {} : { method: "POST", path: "/checkout-sessions", times: 1 };
    const answer = await service.tryControl("POST /faults", { ...base, ...change });
    expect(answer.status).toBe(400);
    expect(answer.text("error.message").length).toBeGreaterThan(10);
  });

  it("the control API lists requests and finds a request by its id", async () => {
    const requestId = (await create("found")).headers.get("X-Request-Id");
    const [row] = (await service.control(`GET /requests?request_id=${requestId}`)).rows();
    expect(row).toMatchObject({ request_id: requestId, method: "POST", path: "/checkout-sessions", status: 201 });
    expect((await service.control("GET /requests")).rows().length).toBeGreaterThan(1);
  });
});

describe("The control API: clock, settings, events", () => {
  const service = startService();

  it("the clock is real time plus an offset", async () => {
    const before = await service.control("GET /clock");
    const after = await service.control("POST /clock", { advanceMs: hour });
    const passed = Date.parse(after.text("now")) - Date.parse(before.text("now"));
    expect(before.text("now")).toEqual(aTime);
    expect(passed).toBeGreaterThanOrEqual(hour);
    expect(passed).toBeLessThan(hour + minute);
    expect(Date.parse((await openSession(service.call)).text("created_at"))).toBeGreaterThanOrEqual(
      Date.parse(after.text("now")),
    );
  });

  it("an advance of the clock is answered after all work that became due is done", async () => {
    const id = (await openSession(service.call)).text("id");
    await pay(service, id, "wave", "pending");
    const transactionId = await transactionOf(service.call, id);
    await service.advance(hour + second);
    expect((await readSession(service.call, id)).text("status")).toBe("expired");
    expect((await readTransaction(service.call, transactionId)).text("status")).toBe("expired");
  });

  it.each([-1, 1.5, "5000", null, undefined])("advanceMs %s is refused", async (advanceMs) => {
    expect((await service.tryControl("POST /clock", { advanceMs })).status).toBe(400);
  });

  it("settings are read and changed one by one, and so are nested settings", async () => {
    const before = await service.control("GET /settings");
    expect(before.body).toMatchObject({
      ratePolicy: "B",
      wrap: "none",
      narrowReads: false,
      thinEvents: false,
      timestampHeader: false,
      dualSignature: false,
      mute: [],
      feeBps: 250,
      sessionTtlSeconds: 3600,
      latencyMs: 0,
      allowLoopbackWebhooks: true,
      pendingSeconds: 15,
      confirmation: "off",
      holdCardFunds: false,
      refunds: "instant",
      payouts: { allowTestMobile: false },
      amountExponents: { XOF: 0, USD: 2, EUR: 2 },
      delivery: {
        timeoutMs: 4000,
        attempts: 5,
        baseDelayMs: 5000,
        duplicate: 0,
        reorder: false,
        dropFirst: 0,
        tamper: false,
        freshIdPerAttempt: false,
      },
    });
    await service.withSettings({ feeBps: 100, delivery: { timeoutMs: 100 } }, async () => {
      const during = await service.control("GET /settings");
      expect(during.body).toMatchObject({ feeBps: 100, delivery: { timeoutMs: 100, attempts: 5 } });
      const { transactionId } = await paidSession(service, service.call);
      expect((await readTransaction(service.call, transactionId)).number("fee_amount")).toBe(50);
    });
    expect((await service.control("GET /settings")).body).toEqual(before.body);
  });

  it.each([{ nothing: 1 }, { feeBps: "much" }, { ratePolicy: "C" }, { delivery: { attempts: "x" } }, { wrap: 5 }])(
    "an unknown setting or value (%j) is refused and nothing changes",
    async (change) => {
      const before = await service.control("GET /settings");
      expect((await service.tryControl("PATCH /settings", { latencyMs: 1, ...change })).status).toBe(400);
      expect((await service.control("GET /settings")).body).toEqual(before.body);
    },
  );

  it("latencyMs slows every answer", async () => {
    await service.withSettings({ latencyMs: 100 }, async () => {
      const started = performance.now();
      await service.call("GET /transactions");
      expect(performance.now() - started).toBeGreaterThanOrEqual(100 - timerToleranceMs);
    });
  });

  it("a payment from a phone number that ends in 0001 is pending for pendingSeconds", async () => {
    await service.withSettings({ pendingSeconds: 60 }, async () => {
      const page = (await openSession(service.call)).text("checkout_url");
      const shopper = { name: "Awa", email: "awa@example.test", method: "wave", mobile_phone: "+2250700000001" };
      await fetch(page, { method: "POST", body: new URLSearchParams(shopper), redirect: "manual" });
      const [row] = (await service.call("GET /transactions")).rows("data");
      const status = async () => (await readTransaction(service.call, String(row?.transaction_id))).text("status");
      await service.advance(50 * second);
      expect(await status()).toBe("pending");
      await service.advance(11 * second);
      expect(await status()).toBe("completed");
    });
  });

  it("an event is listed and can be delivered again", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    const { transactionId } = await paidSession(service, shop.call);
    const [first] = await receiver.wait(1);
    const events = (await service.control("GET /events")).rows("data");
    const mine = events.find((row) => row.transaction_id === transactionId && row.event === "PAYMENT_SUCCEEDED");
    await service.control(`POST /events/${String(mine?.id)}/deliver`);
    const [, again] = await receiver.wait(2);
    expect(again?.body.data).toEqual(first?.body.data);
    expect(again?.event).toBe("PAYMENT_SUCCEEDED");
  });

  it("a delivery in the control API shows the answer and payload of its attempt", async () => {
    const shop = await service.merchant();
    const { receiver, id } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    await paidSession(service, shop.call);
    const [delivery] = await receiver.wait(1);
    await receiver.waitBriefly();
    const rows = (await service.control("GET /deliveries")).rows("data");
    expect(rows.find((row) => row.webhook_id === id)).toMatchObject({
      event: "PAYMENT_SUCCEEDED",
      event_id: delivery?.body.id,
      attempts: [{ attempt_number: 1, success: true, response_status: 200, payload: delivery?.raw }],
    });
  });

  it("an unknown route or resource of the control API gives 404 with the error object", async () => {
    const answers = [
      await service.tryControl("GET /nothing"),
      await service.tryControl(`POST /checkout-sessions/${unknownId}/expire`),
      await service.tryControl(`POST /transactions/${unknownId}/complete`),
      await service.tryControl(`POST /events/${unknownId}/deliver`),
      await service.tryControl(`PATCH /organizations/${unknownId}`, { status: "active" }),
    ];
    for (const answer of answers) expectRefusal(answer, 404, "not_found");
  });

  it.each([[{ method: "cash", outcome: "completed" }], [{ method: "card", outcome: "maybe" }], [{}]])(
    "an invalid payment (%j) is refused",
    async (body) => {
      const id = (await openSession(service.call)).text("id");
      expect((await service.tryControl(`POST /checkout-sessions/${id}/pay`, body)).status).toBe(400);
      expect((await readSession(service.call, id)).text("status")).toBe("open");
    },
  );
});

describe("The control API: snapshots and reset", () => {
  const service = startService();

  it("loading a snapshot restores the earlier state", async () => {
    const kept = await openSession(service.call);
    await service.control("POST /snapshots", { name: "before" });
    const lost = await openSession(service.call);
    await pay(service, kept.text("id"));
    await service.control("POST /snapshots/before/load");
    expect((await readSession(service.call, kept.text("id"))).text("status")).toBe("open");
    const gone = await service.call("GET /checkout-sessions/{id}", { params: { id: lost.text("id") } });
    expectRefusal(gone, 404, "not_found");
    expect((await service.call("GET /transactions")).number("total_count")).toBe(0);
    await service.control("POST /snapshots/before/load");
  });

  it("a snapshot that does not exist gives 404", async () => {
    expect((await service.tryControl("POST /snapshots/never/load")).status).toBe(404);
  });

  it("reset deletes all resources and keeps keys, settings and clock", async () => {
    const { sessionId } = await paidSession(service, service.call);
    await service.call("POST /webhooks", {
      body: { url: "http://127.0.0.1:9/hooks", authorized_events: ["PAYMENT_FAILED"] },
    });
    await service.control("PATCH /settings", { feeBps: 100 });
    await service.advance(hour);
    const { offsetMs } = Object((await service.control("GET /clock")).body);
    await service.control("POST /reset");
    expect((await service.call("GET /transactions")).number("total_count")).toBe(0);
    expect((await service.call("GET /webhooks")).body).toEqual([]);
    const gone = await service.call("GET /checkout-sessions/{id}", { params: { id: sessionId } });
    expectRefusal(gone, 404, "not_found");
    expect((await service.control("GET /settings")).number("feeBps")).toBe(100);
    expect((await service.control("GET /clock")).number("offsetMs")).toBe(offsetMs);
    expect((await service.control("GET /events")).rows("data")).toEqual([]);
  });
});
