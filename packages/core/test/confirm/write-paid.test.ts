import { describe, expect, it } from "vitest";
import { confirmPayment, limits, refundPayment, runDue, StoreError } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { acceptShown, HOUR, passTime, startAndPay } from "../fixture/steps.ts";

const READ_THEN_WRITE = { kind: "read-then-write", settleAfterMs: 120_000 } as const;
/** After this time a write without a response cannot take effect any more. */
const SETTLED_AFTER_MS = limits.storeCallMs + READ_THEN_WRITE.settleAfterMs;

describe("writing a paid order to a store that fails", () => {
  it("a store write that certainly failed is repeated", async () => {
    const fixture = createEngineFixture({ writes: READ_THEN_WRITE });
    const paymentId = await startAndPay(fixture);
    const failure = new StoreError("unavailable", "503", { platformCode: "not_allowed" });
    fixture.store.nextAnswers.push(() => Promise.reject(failure));
    const confirmed = await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(confirmed).toMatchObject({
      status: "recording",
      error: { code: "unavailable", message: "503", reason: { kind: "platform_error", code: "not_allowed" } },
    });
    await fixture.clock.advance(limits.reconfirmAfterMs);
    await fixture.work();
    expect(fixture.store.paid).toHaveLength(1);
  });

  // #region lost-write
  it("a read-then-write store is not written while a lost write may still take effect", async () => {
    const fixture = createEngineFixture({ writes: READ_THEN_WRITE });
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(() => Promise.reject(new StoreError("unknown", "timed out")));
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    for (let second = 1; second < SETTLED_AFTER_MS / 1_000; second += 1) {
      await fixture.clock.advance(1_000);
      await fixture.work();
      await confirmPayment(fixture.anotherProcess("two"), paymentId, { actor: "shopper" });
      expect(fixture.store.paid).toEqual([]);
    }
    await fixture.clock.advance(60_000);
    await fixture.work();
    expect(fixture.store.paid).toHaveLength(1);
  });
  // #endregion lost-write

  it("a store whose lost write took effect late is asked once more, so that it can finish what follows a payment", async () => {
    const fixture = createEngineFixture({ writes: READ_THEN_WRITE });
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(() => Promise.reject(new StoreError("unknown", "timed out")));
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await fixture.clock.advance(SETTLED_AFTER_MS - 10_000);
    fixture.store.order = anOrder({ paidBy: paymentId, payable: false });
    let timesAsked = 0;
    fixture.store.nextAnswers.push(async () => {
      timesAsked += 1;
      return { outcome: "already", evidence: "read-back" };
    });
    await fixture.clock.advance(100_000);
    await fixture.work();
    expect(timesAsked).toBe(1);
    expect(fixture.store.paid).toEqual([]);
    await fixture.expectPaymentIn("recorded");
  });

  it("no process writes to a store after a crash during a write until the write has settled", async () => {
    const fixture = createEngineFixture({ writes: READ_THEN_WRITE });
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(() => new Promise(() => {}));
    // The process dies here: its call never ends, and its lease expires.
    void confirmPayment(
      { ...fixture.engine, clock: { ...fixture.clock, sleep: () => new Promise(() => {}) } },
      paymentId,
      {
        actor: "webhook",
      },
    );
    await fixture.clock.advance(limits.orderLeaseMs);
    const survivor = fixture.anotherProcess("two");
    expect(await confirmPayment(survivor, paymentId, { actor: "timer" })).toMatchObject({ status: "recording" });
    expect(fixture.store.paid).toEqual([]);
    await fixture.clock.advance(SETTLED_AFTER_MS - limits.orderLeaseMs);
    // The dead process's clock may have been behind ours.
    expect(await confirmPayment(survivor, paymentId, { actor: "timer" })).toMatchObject({ status: "recording" });
    await fixture.clock.advance(limits.clockSkewMs);
    expect(await confirmPayment(survivor, paymentId, { actor: "timer" })).toMatchObject({ status: "paid" });
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a confirm reports the error unknown when the store does not respond before the deadline", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(() => new Promise(() => {}));
    const confirming = confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await fixture.clock.advance(limits.storeCallMs);
    expect(await confirming).toMatchObject({
      status: "recording",
      error: { code: "unknown", message: "The store did not respond within 20 seconds." },
    });
    await fixture.clock.advance(limits.reconfirmAfterMs);
    await fixture.work();
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a payment that only a person can put right in the store turns its jobs into dead-letter jobs with the reason", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const refuse = () => Promise.reject(new StoreError("owner", "The order asks another amount."));
    const refusals = 99;
    fixture.store.nextAnswers.push(...Array<typeof refuse>(refusals).fill(refuse));
    const confirmed = await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(confirmed).toMatchObject({
      status: "recording",
      retryAt: null,
      error: { code: "owner", message: "The order asks another amount." },
    });
    for (let minute = 0; minute < 60; minute += 1) {
      await fixture.clock.advance(60_000);
      await fixture.work();
    }
    const { rows } = await fixture.ledger.listJobs({ dead: true, limit: 9 });
    // The job that was added in case this process dies, and the next scheduled read.
    expect(rows).toHaveLength(2);
    for (const { kind, error } of rows)
      expect([kind, error?.code, error?.message]).toEqual([
        "confirm",
        "owner",
        expect.stringMatching(/another amount/),
      ]);
    // The direct confirm and each of the two jobs wrote once.
    expect(refusals - fixture.store.nextAnswers.length).toBe(1 + rows.length);
  });

  it("a store that refuses us for an hour gets the payment from the jobs that waited, and none of them is given up", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const refuse = () => Promise.reject(new StoreError("reconnect", "401"));
    fixture.store.nextAnswers.push(...Array<typeof refuse>(999).fill(refuse));
    const confirmed = await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(confirmed).toMatchObject({ status: "recording", error: { code: "reconnect", message: "401" } });
    expect(confirmed.retryAt).not.toBeNull();
    await passTime(fixture, { ms: HOUR, stepMs: 5_000 });
    expect((await fixture.ledger.listJobs({ dead: true, limit: 9 })).rows).toEqual([]);
    const entries = await fixture.ledger.timeline({ paymentId });
    expect(entries.filter(({ kind }) => kind === "store_reconnect")).toHaveLength(1);
    fixture.store.nextAnswers.length = 0;
    await passTime(fixture, { ms: limits.probeMaxMs, stepMs: 5_000 });
    await fixture.expectPaymentIn("recorded");
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a store's answer is recorded even if another process changed the payment", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(async () => {
      const payment = await fixture.ledger.find({ id: paymentId });
      if (!payment) throw new Error("lost");
      const next = { ...payment, version: payment.version + 1 };
      await fixture.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
      return "go on";
    });
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "paid" });
    await fixture.expectPaymentIn("recorded");
  });

  // #region lost-lease
  it("a writer that lost the lease during the write does not record the answer", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(async () => {
      await fixture.clock.advance(0);
      const ref = { storeId: "shop", orderId: "1042" };
      const afterLease = fixture.clock.now() + limits.orderLeaseMs;
      await fixture.ledger.lockOrder(ref, "thief", afterLease, limits.orderLeaseMs);
      return "go on";
    });
    const confirmed = await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(confirmed).toMatchObject({ status: "recording" });
    expect(confirmed.retryAt).not.toBeNull();
  });
  // #endregion lost-lease

  it.each([
    ["leaves a job that compares the order with the ledger", 0],
    ["is compared by a job of its own beside an earlier comparison, which may be about to end", 1],
  ])("an answer under a lost lease %s", async (_name, earlier) => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const comparison = {
      kind: "compare",
      storeId: "shop",
      paymentId,
      payload: "",
      dueAt: fixture.clock.now(),
    } as const;
    await fixture.ledger.commit({ jobs: Array(earlier).fill(comparison), timeline: [] });
    fixture.store.nextAnswers.push(async () => {
      const afterLease = fixture.clock.now() + limits.orderLeaseMs;
      await fixture.ledger.lockOrder(anOrder().ref, "thief", afterLease, limits.orderLeaseMs);
      return "go on";
    });
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    const { rows } = await fixture.ledger.listJobs({ paymentId, limit: 10 });
    expect(rows.filter(({ kind }) => kind === "compare")).toHaveLength(earlier + 1);
  });

  it("a process that slept after the commit of its intent writes nothing, because the next writer counts from the intent", async () => {
    let sleeps = true;
    const fixture: EngineFixture = createEngineFixture({
      writes: READ_THEN_WRITE,
      wrapLedger: (ledger) => ({
        ...ledger,
        async commit(change) {
          const answer = await ledger.commit(change);
          if (sleeps && change.payment?.next.storeTries === 1) await fixture.clock.advance(SETTLED_AFTER_MS);
          return answer;
        },
      }),
    });
    const paymentId = await startAndPay(fixture);
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({
      status: "recording",
      error: { code: "unavailable" },
    });
    expect(fixture.store.paid).toEqual([]);
    sleeps = false;
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "timer" })).toMatchObject({ status: "paid" });
  });

  it("a payment is held and not refunded automatically when the merchant marks its order as paid during the write", async () => {
    const fixture = createEngineFixture({ autoRefund: ["duplicate", "order_not_payable"] });
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(async () => {
      fixture.store.order = anOrder({ paidBy: "owner", payable: false });
      return "go on";
    });
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({
      status: "held",
      payment: { finding: { code: "paid_outside" } },
    });
    await fixture.work();
    expect(fixture.service.refunds).toEqual([]);
    await acceptShown(fixture, paymentId);
    expect(fixture.store.namedOnPaidOrders).toEqual([paymentId]);
    await fixture.expectPaymentIn("recorded");
  });

  it("an order stays unpaid when its money went back while its store could not be written", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(async () => {
      throw new StoreError("unavailable", "Later.");
    });
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await fixture.expectPaymentIn("verified");
    const transactionId = "transaction-of-session-1";
    fixture.service.refunds.push({ key: "k", id: "refund-9", status: "completed", wireAmount: 5_000, transactionId });
    await fixture.clock.advance(limits.refundsReadAfterMs);
    await fixture.work();
    await fixture.expectPaymentIn("refunded");
    expect(fixture.store.paid).toEqual([]);
  });

  it("a refund from before the order was paid is written to the store again once the order shows its payment", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    fixture.store.order = anOrder({ total: { minor: 4500, currency: "XOF" } });
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await fixture.expectPaymentIn("review");
    const amount = { minor: 1_000, currency: "XOF" };
    await refundPayment(fixture.engine, { paymentId, key: "owner", amount, origin: "tillkit" });
    await fixture.work();
    const recordedBefore = fixture.store.refunds.length;
    await acceptShown(fixture, paymentId);
    await fixture.expectPaymentIn("recorded");
    await fixture.work();
    expect(fixture.store.refunds.slice(recordedBefore)).toEqual(["refund-1 1000 completed"]);
  });

  it("a held payment counts as accepted when the merchant marks its order as paid, and the order then names the payment", async () => {
    const fixture = createEngineFixture({ autoRefund: ["duplicate"] });
    const paymentId = await startAndPay(fixture);
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { wireAmount: 4900 };
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    fixture.store.order = anOrder({ paidBy: "owner", payable: false, markedPaid: { by: "awa", at: 7 } });
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "timer" })).toMatchObject({ status: "paid" });
    await fixture.work();
    expect([fixture.store.paid, fixture.store.namedOnPaidOrders, fixture.service.refunds]).toEqual([
      [],
      [paymentId],
      [],
    ]);
    expect(await fixture.expectPaymentIn("recorded")).toMatchObject({ waiver: { by: "awa", at: 7 } });
  });

  it("a payment is not refunded automatically when the merchant marks its order as paid before the job runs", async () => {
    const fixture = createEngineFixture({ autoRefund: ["order_not_payable"] });
    const paymentId = await startAndPay(fixture);
    fixture.store.order = anOrder({ payable: false });
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    fixture.store.order = anOrder({ paidBy: "owner", payable: false, markedPaid: { by: "awa", at: 7 } });
    await fixture.work();
    expect(fixture.service.refunds).toEqual([]);
    expect(fixture.store.namedOnPaidOrders).toEqual([paymentId]);
    await fixture.expectPaymentIn("recorded");
  });

  it("a payment is not refunded automatically when the merchant marks its order as paid while the refund is prepared", async () => {
    const fixture = createEngineFixture({ autoRefund: ["order_not_payable"] });
    const paymentId = await startAndPay(fixture);
    fixture.store.order = anOrder({ payable: false });
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    // The order is unpaid at the first check of the automatic refund and paid at the second.
    const reads = [
      anOrder({ payable: false }),
      anOrder({ paidBy: "owner", payable: false, markedPaid: { by: "awa", at: 7 } }),
    ];
    const store = {
      ...(await fixture.engine.store("shop")),
      findOrder: async () => reads.shift() ?? fixture.store.order,
    };
    fixture.store.order = reads[1] ?? null;
    await runDue({ ...fixture.engine, store: async () => store });
    await fixture.clock.advance(limits.retryMaxMs);
    await fixture.work();
    expect(fixture.service.refunds).toEqual([]);
    await fixture.expectPaymentIn("recorded");
  });

  it("a store's refusal is not final while an earlier write without a response may still take effect", async () => {
    const fixture = createEngineFixture({ autoRefund: ["order_not_payable"] });
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(async () => {
      throw new Error("the connection broke");
    });
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({
      error: expect.anything(),
    });
    fixture.store.nextAnswers.push(async () => ({ outcome: "not-payable", why: { kind: "order_changed" } }));
    const refused = await confirmPayment(fixture.engine, paymentId, { actor: "timer" });
    expect(refused).toMatchObject({ status: "recording", retryAt: expect.any(Number) });
    await fixture.clock.advance(limits.lateWriteMs);
    // The lost write has taken effect, so the store answers that the order shows this payment.
    await fixture.work();
    expect(fixture.service.refunds).toEqual([]);
    await fixture.expectPaymentIn("recorded");
  });

  it("a payment that its store refused is refunded automatically once, although the order stays payable", async () => {
    const fixture = createEngineFixture({ autoRefund: ["order_not_payable"] });
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(async () => ({ outcome: "not-payable", why: { kind: "order_changed" } }));
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    await fixture.work();
    expect(fixture.service.refunds).toHaveLength(1);
    await fixture.expectPaymentIn("refunded");
  });
});
