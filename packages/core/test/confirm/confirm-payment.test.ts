import { describe, expect, it } from "vitest";
import { confirmPayment, limits, verifyPayment } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { HOUR, passTime, SESSION_NEARLY_OVER_MS, startAndPay, startPayment } from "../fixture/steps.ts";

const READ_THEN_WRITE = { kind: "read-then-write", settleAfterMs: 120_000 } as const;

describe("confirmPayment", () => {
  it("a confirmed payment marks its order paid once, with a complete receipt", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const confirmed = await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(confirmed).toMatchObject({ status: "paid", retryAt: null, error: null });
    expect(fixture.store.paid).toEqual([
      {
        paymentId,
        ref: { storeId: "shop", orderId: "1042" },
        attempt: "",
        sessionId: "session-1",
        transactionId: "transaction-of-session-1",
        paid: { minor: 5000, currency: "XOF" },
        total: { minor: 5000, currency: "XOF" },
        environment: "test",
        provider: "WAVE",
        fence: 1,
      },
    ]);
  });

  it("ten simultaneous confirms from two processes mark the order paid once", async () => {
    const fixture = createEngineFixture({ writes: READ_THEN_WRITE });
    const paymentId = await startAndPay(fixture);
    const engines = [fixture.engine, fixture.anotherProcess("two")];
    const confirms = Array.from({ length: 10 }, (_, index) =>
      confirmPayment(engines[index % 2] ?? fixture.engine, paymentId, { actor: "webhook" }),
    );
    const results = await Promise.all(confirms);
    expect(results.some(({ status }) => status === "paid")).toBe(true);
    await fixture.clock.advance(limits.orderBusyRetryMs);
    await fixture.work();
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a confirm of a recorded payment makes no call to the service", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    const reads = fixture.service.reads.length;
    for (let time = 0; time < 10; time += 1) await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await fixture.clock.advance(100 * HOUR);
    await fixture.work();
    expect(fixture.service.reads).toHaveLength(reads);
  });

  it("a confirm of an unpaid session leaves the order unchanged", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "shopper" })).toMatchObject({
      status: "waiting",
    });
    expect(fixture.store.paid).toEqual([]);
    // The entries of the start: `started` and `opened`.
    expect(await fixture.ledger.timeline({ paymentId })).toHaveLength(2);
  });

  it("verifyPayment writes to no store, and a job marks the order paid later", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    expect(await verifyPayment(fixture.engine, paymentId)).toMatchObject({ status: "paid" });
    expect(fixture.store.paid).toEqual([]);
    await fixture.clock.advance(limits.platformFinishesMs);
    await fixture.work();
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("an order is held once, with the reason, when the amount paid differs", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { wireAmount: 50 };
    for (let time = 0; time < 3; time += 1) {
      expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
      await fixture.work();
    }
    expect(fixture.store.paid).toEqual([]);
    const amounts = { expected: { minor: 5000, currency: "XOF" }, found: { minor: 50, currency: "XOF" } };
    expect(fixture.store.holds).toEqual([{ code: "amount_differs", ...amounts }]);
  });

  it("a payment that was not verifiable is confirmed once the service returns all fields", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { currency: undefined };
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    if (session) session.overrides = {};
    for (let minute = 0; minute < 10; minute += 1) {
      await fixture.clock.advance(60_000);
      await fixture.work();
    }
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("one of two paid sessions marks their order paid, and the other becomes a duplicate", async () => {
    const fixture = createEngineFixture();
    const first = await startPayment(fixture);
    await fixture.clock.advance(SESSION_NEARLY_OVER_MS);
    const second = await startPayment(fixture);
    fixture.service.pay("session-1");
    fixture.service.pay("session-2");
    const verdicts = await Promise.all([first, second].map((id) => verifyPayment(fixture.engine, id)));
    expect(verdicts.map(({ status }) => status).sort()).toEqual(["duplicate", "paid"]);
    await fixture.clock.advance(limits.platformFinishesMs);
    await fixture.work();
    // The note waits for the writer that marks the order paid.
    await passTime(fixture, { ms: 2 * limits.retryFirstMs, stepMs: 1_000 });
    expect(fixture.store.paid).toHaveLength(1);
    const duplicate = await fixture.expectPaymentIn("duplicate");
    expect(fixture.store.notes.get(`duplicate:${duplicate.id}`)).toContain("a second time");
  });

  it("a payment that succeeds after its session expired is confirmed", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    await fixture.clock.advance(65 * 60_000);
    await fixture.work();
    await fixture.expectPaymentIn("expired");
    fixture.service.pay("session-1");
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({
      status: "paid",
    });
  });

  it("scheduled reads end with the grace period, and a later webhook still confirms the payment", async () => {
    const fixture = createEngineFixture();
    await startPayment(fixture);
    for (let hour = 0; hour < 80; hour += 1) {
      await fixture.clock.advance(HOUR);
      await fixture.work();
    }
    const closed = await fixture.expectPaymentIn("closed");
    expect(fixture.service.reads.length).toBeLessThanOrEqual(10);
    fixture.service.pay("session-1");
    expect(await confirmPayment(fixture.engine, closed.id, { actor: "webhook" })).toMatchObject({ status: "paid" });
  });

  it.each([
    [{ outcome: "gone" }, "order_gone"],
    [{ outcome: "not-payable", why: { kind: "cancelled" } }, "order_not_payable"],
  ] as const)("a payment goes under review when its store answers $outcome", async (answer, code) => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(async () => answer);
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    expect((await fixture.expectPaymentIn("review")).finding).toMatchObject({ code });
  });

  it("a store that refused a payment is not written again before the next scheduled read", async () => {
    const fixture = createEngineFixture();
    await startAndPay(fixture);
    // More refusals than an hour can use up.
    const refusals = 200;
    fixture.store.nextAnswers.push(
      ...Array(refusals).fill(async () => ({ outcome: "not-payable", why: { kind: "order_changed" } })),
    );
    for (let minute = 0; minute < 60; minute += 1) {
      await fixture.clock.advance(60_000);
      await fixture.work();
    }
    expect((await fixture.expectPaymentIn("review")).finding).toMatchObject({ code: "order_not_payable" });
    // An open payment is read at most seven times an hour.
    const writes = refusals - fixture.store.nextAnswers.length;
    expect(writes).toBeLessThanOrEqual(7);
    expect(fixture.service.reads.length).toBeLessThanOrEqual(7);
    fixture.store.nextAnswers.length = 0;
    await fixture.clock.advance(2 * 60_000);
    await fixture.work();
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a payment becomes a duplicate when the store reports another payment", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(async () => ({ outcome: "other-payment", paidBy: "outside" }));
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({
      status: "duplicate",
    });
    await fixture.work();
    expect(fixture.store.notes.size).toBe(1);
  });

  it("a payment is held and not refunded by rule when its store names a payment that is none of the order's", async () => {
    const fixture = createEngineFixture({ autoRefund: ["duplicate"] });
    const paymentId = await startAndPay(fixture);
    const paidBy = "payment-of-the-parent";
    fixture.store.nextAnswers.push(async () => {
      fixture.store.order = anOrder({ payable: false, paidBy });
      return { outcome: "other-payment", paidBy };
    });
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await fixture.work();
    expect(fixture.service.refunds).toEqual([]);
    expect(await fixture.ledger.find({ id: paymentId })).toMatchObject({
      state: "review",
      finding: { code: "paid_outside", paidBy: "unclear" },
    });
  });

  it("an order that was edited to an unsupported amount is held", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const store = await fixture.engine.store("shop");
    const engine = {
      ...fixture.engine,
      store: async () => ({
        ...store,
        findOrder: () => Promise.reject(Object.assign(new Error("5000.50 XOF"), { code: "amount_invalid" })),
      }),
    };
    expect(await confirmPayment(engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    expect((await fixture.expectPaymentIn("review")).finding).toMatchObject({ code: "total_changed" });
  });

  it("a payment held for a changed total marks its order paid once the owner restores the total", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    fixture.store.order = anOrder({ total: { minor: 6000, currency: "XOF" } });
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await fixture.expectPaymentIn("review");
    fixture.store.order = anOrder();
    await confirmPayment(fixture.engine, paymentId, { actor: "timer" });
    expect(await fixture.expectPaymentIn("recorded")).toMatchObject({ finding: null });
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a confirm of an unknown payment throws payment_not_found", async () => {
    const { engine } = createEngineFixture();
    await expect(confirmPayment(engine, "nobody", { actor: "shopper" })).rejects.toMatchObject({
      code: "payment_not_found",
    });
  });
});
