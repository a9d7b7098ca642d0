import { describe, expect, it } from "vitest";
import { confirmPayment, limits, refundPayment, StoreError } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture, type EngineFixtureOptions } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passTime, startAndPay } from "../fixture/steps.ts";
import { francs } from "../refunds/refund-steps.ts";

const READ_THEN_WRITE = { kind: "read-then-write", settleAfterMs: 60_000 } as const;
const SECOND = 1_000;

/**
 * The shop works on our request for a long time: the call ends without an answer, and the returned function lets the request take
 * effect.
 */
async function fixtureWithSlowShop(options: EngineFixtureOptions) {
  const fixture = createEngineFixture(options);
  const paymentId = await startAndPay(fixture);
  fixture.store.nextAnswers.push(() => Promise.reject(new StoreError("unknown", "no answer in time")));
  await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  const land = () => {
    const order = fixture.store.order ?? anOrder();
    fixture.store.order = { ...order, paidBy: paymentId, payable: false };
  };
  return { fixture, paymentId, land };
}

const wait = (fixture: EngineFixture, seconds: number) => passTime(fixture, { ms: seconds * SECOND, stepMs: SECOND });

describe.each([
  ["a read-then-write shop", READ_THEN_WRITE],
  ["a shop that refuses stale writes", { kind: "conditional" }],
] as const)("a write to %s that is under way", (_name, writes) => {
  it("is not followed by an automatic refund when the owner cancels meanwhile, and the order that it pays is recorded", async () => {
    const { fixture, land } = await fixtureWithSlowShop({ writes, autoRefund: ["order_not_payable"] });
    fixture.store.order = anOrder({ payable: false });
    await wait(fixture, 40);
    expect(fixture.service.refunds).toEqual([]);
    land();
    await wait(fixture, 200);
    expect(fixture.service.refunds).toEqual([]);
    await fixture.expectPaymentIn("recorded");
  });

  it("is not followed by an automatic refund of a duplicate while the owner takes cash", async () => {
    const { fixture, land } = await fixtureWithSlowShop({ writes, autoRefund: ["duplicate"] });
    fixture.store.order = anOrder({ paidBy: "outside", payable: false });
    await wait(fixture, 40);
    expect(fixture.service.refunds).toEqual([]);
    land();
    await wait(fixture, 200);
    expect(fixture.service.refunds).toEqual([]);
    await fixture.expectPaymentIn("recorded");
  });

  it("holds back the owner's own refund until it has settled", async () => {
    const { fixture, paymentId, land } = await fixtureWithSlowShop({ writes });
    const click = { paymentId, key: "click-1", amount: francs(5000), origin: "store" } as const;
    await expect(refundPayment(fixture.engine, click)).rejects.toMatchObject({
      code: "write_in_flight",
      retryable: true,
    });
    land();
    await wait(fixture, 200);
    expect(await refundPayment(fixture.engine, click)).toMatchObject({ state: "completed" });
  });

  it("is waited for anew where a clock that was months behind had noted its time", async () => {
    const { fixture, land } = await fixtureWithSlowShop({ writes, autoRefund: ["order_not_payable"] });
    const payment = await fixture.expectPaymentIn("verified");
    const storeWriteAt = fixture.clock.now() - 100 * 86_400 * SECOND;
    const next = { ...payment, storeWriteAt, version: payment.version + 1 };
    await fixture.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
    fixture.store.order = anOrder({ payable: false });
    await wait(fixture, 40);
    expect(fixture.service.refunds).toEqual([]);
    land();
    await wait(fixture, 200);
    await fixture.expectPaymentIn("recorded");
  });

  it("leaves the order to the owner when it never took effect", async () => {
    const { fixture } = await fixtureWithSlowShop({ writes, autoRefund: ["order_not_payable"] });
    fixture.store.order = anOrder({ payable: false });
    await wait(fixture, 300);
    expect(fixture.service.refunds).toMatchObject([{ wireAmount: 5000 }]);
    await fixture.expectPaymentIn("refunded");
  });
});

it("a shop that refuses stale writes may work for two minutes on a request that was sent at the last moment, and nothing is refunded meanwhile", async () => {
  const { fixture, land } = await fixtureWithSlowShop({
    writes: { kind: "conditional" },
    autoRefund: ["order_not_payable"],
  });
  fixture.store.order = anOrder({ payable: false });
  await wait(fixture, (limits.storeCallMs + limits.lateWriteMs) / SECOND - 1);
  expect(fixture.service.refunds).toEqual([]);
  land();
  await wait(fixture, 120);
  expect(fixture.service.refunds).toEqual([]);
  await fixture.expectPaymentIn("recorded");
});

it.each([
  ["that another payment paid the order", { outcome: "other-payment", paidBy: "outside" }],
  ["that the order is gone", { outcome: "gone" }],
] as const)("a shop's answer %s is not final while an earlier request may still take effect", async (_name, answer) => {
  const { fixture, paymentId, land } = await fixtureWithSlowShop({
    writes: { kind: "conditional" },
    autoRefund: ["duplicate", "order_gone"],
  });
  fixture.store.nextAnswers.push(async () => answer);
  await confirmPayment(fixture.engine, paymentId, { actor: "timer" });
  await wait(fixture, 10);
  expect(fixture.service.refunds).toEqual([]);
  land();
  await wait(fixture, 200);
  expect(fixture.service.refunds).toEqual([]);
  await fixture.expectPaymentIn("recorded");
});

it("a write under way to a shop that refuses stale writes is still one after the next write was refused with 503", async () => {
  const { fixture, paymentId, land } = await fixtureWithSlowShop({ writes: { kind: "conditional" } });
  fixture.store.nextAnswers.push(() => Promise.reject(new StoreError("unavailable", "503")));
  await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  const click = { paymentId, key: "click-1", amount: francs(5000), origin: "store" } as const;
  await expect(refundPayment(fixture.engine, click)).rejects.toMatchObject({ code: "write_in_flight" });
  land();
  await wait(fixture, 200);
  expect(await refundPayment(fixture.engine, click)).toMatchObject({ state: "completed" });
});

it("a refund that a shop still writes into an order is not written again, although the order shows the payment by now", async () => {
  const { fixture, paymentId, land } = await fixtureWithSlowShop({ writes: READ_THEN_WRITE });
  for (let time = 0; time < 20; time += 1)
    fixture.store.nextAnswers.push(() => Promise.reject(new StoreError("unavailable", "503")));
  await wait(fixture, 120);
  await refundPayment(fixture.engine, { paymentId, key: "click-1", amount: francs(1000), origin: "tillkit" });
  const before = await fixture.expectPaymentIn("verified");
  const storeWriteAt = fixture.clock.now();
  const next = { ...before, storeWriteAt, version: before.version + 1 };
  await fixture.ledger.commit({ payment: { next, expect: before.version }, timeline: [] });
  land();
  fixture.store.nextAnswers.length = 0;
  await wait(fixture, 40);
  expect((await fixture.expectPaymentIn("recorded")).storeWriteAt).toBe(storeWriteAt);
  expect(fixture.store.refunds).toEqual([]);
  await wait(fixture, 120);
  expect(fixture.store.refunds).toContain("refund-1 1000 completed");
});

describe("a write that takes effect after every bound of time", () => {
  it("is found: the order shows a payment whose money went back, and a person is told which order and why", async () => {
    const options = { writes: READ_THEN_WRITE, autoRefund: ["order_not_payable"] } as const;
    const { fixture, paymentId, land } = await fixtureWithSlowShop(options);
    fixture.store.order = anOrder({ payable: false });
    await wait(fixture, 300);
    await fixture.expectPaymentIn("refunded");
    land();
    await wait(fixture, limits.compareAfterMs / SECOND + 60);
    expect(fixture.store.holds.at(-1)).toMatchObject({ code: "refunded_but_shown" });
    const { rows } = await fixture.ledger.listJobs({ dead: true, limit: 10 });
    expect(rows).toMatchObject([{ kind: "compare", paymentId, error: { code: "refunded_but_shown" } }]);
    const timeline = await fixture.ledger.timeline({ paymentId });
    expect(timeline.at(-1)).toMatchObject({ kind: "held", finding: { code: "refunded_but_shown" } });
  });

  it("is found a quarter of an hour later too, after the order was compared once and showed nothing", async () => {
    const options = { writes: READ_THEN_WRITE, autoRefund: ["order_not_payable"] } as const;
    const { fixture, land } = await fixtureWithSlowShop(options);
    fixture.store.order = anOrder({ payable: false });
    await wait(fixture, 300 + limits.compareAfterMs / SECOND + 60);
    expect(fixture.store.holds).toEqual([]);
    land();
    await wait(fixture, limits.compareAgainMs / SECOND + 60);
    expect(fixture.store.holds.at(-1)).toMatchObject({ code: "refunded_but_shown" });
  });

  it("is found although the clock was a hundred days ahead when the order was first compared", async () => {
    const options = { writes: READ_THEN_WRITE, autoRefund: ["order_not_payable"] } as const;
    const { fixture, land } = await fixtureWithSlowShop(options);
    fixture.store.order = anOrder({ payable: false });
    await wait(fixture, 300);
    const aheadMs = 100 * 24 * 3_600 * SECOND;
    await passTime(fixture, { ms: aheadMs, stepMs: aheadMs });
    land();
    await wait(fixture, limits.compareAgainMs / SECOND + 60);
    expect(fixture.store.holds.at(-1)).toMatchObject({ code: "refunded_but_shown" });
  });

  it("is marked on the order only by the writer that holds the order's lease", async () => {
    const options = { writes: READ_THEN_WRITE, autoRefund: ["order_not_payable"] } as const;
    const { fixture, land } = await fixtureWithSlowShop(options);
    fixture.store.order = anOrder({ payable: false });
    await wait(fixture, 300);
    land();
    const { ledger, clock } = fixture;
    const ref = { storeId: "shop", orderId: "1042" };
    for (let lease = 0; lease < (2 * limits.compareAfterMs) / limits.orderLeaseMs; lease += 1) {
      const fence = await ledger.lockOrder(ref, "another worker", clock.now(), limits.orderLeaseMs);
      await wait(fixture, limits.orderLeaseMs / SECOND - 1);
      await ledger.unlockOrder(ref, fence ?? 0);
    }
    expect(fixture.store.holds).toEqual([]);
    await wait(fixture, limits.retryMaxMs / SECOND);
    expect(fixture.store.holds.at(-1)).toMatchObject({ code: "refunded_but_shown" });
  });

  it("makes a payment count that its shop had refused, once the order shows it", async () => {
    const { fixture, paymentId, land } = await fixtureWithSlowShop({ writes: { kind: "conditional" } });
    await wait(fixture, 1);
    const settledMs = limits.storeCallMs + limits.lateWriteMs + limits.clockSkewMs;
    fixture.store.nextAnswers.push(() => Promise.reject(new StoreError("unknown", "no answer in time")));
    await fixture.clock.advance(settledMs);
    fixture.store.nextAnswers.length = 0;
    fixture.store.nextAnswers.push(async () => ({ outcome: "other-payment", paidBy: "outside" }));
    await confirmPayment(fixture.engine, paymentId, { actor: "timer" });
    await fixture.expectPaymentIn("duplicate");
    land();
    await wait(fixture, limits.compareAfterMs / SECOND + 60);
    await fixture.expectPaymentIn("recorded");
  });

  it("makes a duplicate that the store shows count for its order", async () => {
    const { fixture, land } = await fixtureWithSlowShop({ writes: READ_THEN_WRITE });
    fixture.store.order = anOrder({ paidBy: "outside", payable: false });
    await wait(fixture, 300);
    await fixture.expectPaymentIn("duplicate");
    land();
    await wait(fixture, limits.compareAfterMs / SECOND + 60);
    await fixture.expectPaymentIn("recorded");
  });
});
