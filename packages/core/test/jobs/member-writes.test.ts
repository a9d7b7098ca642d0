import { describe, expect, it } from "vitest";
import { confirmPayment, limits, refundPayment, type StoreAdapter, StoreError } from "../../src/index.ts";
import { earliestWriteAt } from "../../src/stores/call-store.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { passTime, startAndPay } from "../fixture/steps.ts";

const SETTLE_AFTER_MS = 120_000;
const READ_THEN_WRITE = { kind: "read-then-write", settleAfterMs: SETTLE_AFTER_MS } as const;
const SETTLED_MS = limits.storeCallMs + SETTLE_AFTER_MS + limits.clockSkewMs;

describe("a store that refuses a second payment, and writes a second refund", () => {
  it("a refund whose first write was lost is written again only when the first can no longer take effect", async () => {
    const { fixture, writes } = await openRefundedPayment({ recordRefund: READ_THEN_WRITE });
    await passTime(fixture, { ms: SETTLED_MS - 2_000, stepMs: 1_000 });
    expect(writes).toHaveLength(1);
    await passTime(fixture, { ms: limits.retryMaxMs, stepMs: 1_000 });
    expect((writes[1] ?? 0) - (writes[0] ?? 0)).toBeGreaterThanOrEqual(SETTLED_MS);
  });

  it("a payment whose answer was lost is written again at once while no refund is known", async () => {
    const fixture = createEngineFixture({ store: { memberWrites: { recordRefund: READ_THEN_WRITE } } });
    const paymentId = await startAndPay(fixture);
    fixture.store.nextAnswers.push(() => Promise.reject(new StoreError("unknown", "timed out")));
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await confirmPayment(fixture.engine, paymentId, { actor: "timer" });
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("the order is not marked paid either while a lost write of a refund may still take effect", async () => {
    const { fixture, writes } = await openRefundedPayment({ recordRefund: READ_THEN_WRITE });
    const payment = await fixture.expectPaymentIn("recorded");
    const store = await fixture.engine.store("shop");
    const settled = (writes[0] ?? 0) + SETTLED_MS;
    expect(await earliestWriteAt(fixture.engine, store, "markPaid", [payment])).toBe(settled);
  });

  it("a refund is not written while a lost write that marks the order paid may still take effect", async () => {
    const fixture = createEngineFixture({ store: { memberWrites: { recordRefund: READ_THEN_WRITE } } });
    await startAndPay(fixture);
    const payment = { ...(await fixture.expectPaymentIn("open")), storeWriteAt: fixture.clock.now() };
    const store = await fixture.engine.store("shop");
    const settled = fixture.clock.now() + SETTLED_MS;
    expect(await earliestWriteAt(fixture.engine, store, "recordRefund", [payment])).toBe(settled);
    expect(await earliestWriteAt(fixture.engine, store, "markPaid", [payment])).toBe(0);
  });
});

it("a store that refuses a second refund is told again at once after its answer was lost", async () => {
  const { fixture, writes } = await openRefundedPayment({});
  await passTime(fixture, { ms: 10_000, stepMs: 1_000 });
  expect(writes).toHaveLength(2);
});

/** A recorded payment with a refund of Tillkit, whose first write to the store got no response. */
async function openRefundedPayment(memberWrites: NonNullable<StoreAdapter["memberWrites"]>) {
  const writes: number[] = [];
  const fixture = createEngineFixture({
    store: {
      memberWrites,
      async recordRefund() {
        writes.push(fixture.clock.now());
        if (writes.length === 1) throw new StoreError("unknown", "timed out");
        return { outcome: "recorded", evidence: "read-back" };
      },
    },
  });
  const paymentId = await startAndPay(fixture);
  await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  const amount = { minor: 100, currency: "XOF" } as const;
  await refundPayment(fixture.engine, { paymentId, key: "an operator's click", amount, origin: "tillkit" });
  await fixture.work();
  expect(writes).toHaveLength(1);
  return { fixture, writes };
}
