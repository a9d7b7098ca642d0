import { describe, expect, it } from "vitest";
import { confirmPayment, limits, type StoreAdapter, StoreError } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { passTime, startPayment } from "../fixture/steps.ts";
import { deliver } from "../refunds/refund-steps.ts";

const SETTLE_AFTER_MS = 120_000;
const READ_THEN_WRITE = { kind: "read-then-write", settleAfterMs: SETTLE_AFTER_MS } as const;
const SETTLED_MS = limits.storeCallMs + SETTLE_AFTER_MS + limits.clockSkewMs;
const ORDER = { storeId: "shop", orderId: "1042" };

describe("an order whose shopper confirms on the phone", () => {
  it("is not marked pending while another worker writes to it", async () => {
    const { fixture, writes } = await fixtureWithPendingAttempt();
    const { ledger, clock } = fixture;
    const fence = await ledger.lockOrder(ORDER, "another worker", clock.now(), limits.orderLeaseMs);
    await fixture.work();
    expect(writes).toEqual([]);
    await ledger.unlockOrder(ORDER, fence ?? 0);
    await passTime(fixture, { ms: 10_000, stepMs: 1_000 });
    expect(writes).not.toEqual([]);
  });

  it("is not marked paid while a lost mark may still take effect, where the shop carries out every request", async () => {
    const { fixture, writes, paymentId } = await fixtureWithPendingAttempt({ markPending: READ_THEN_WRITE });
    await fixture.work();
    expect(writes).toHaveLength(1);
    fixture.service.pay("session-1");
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(fixture.store.paid).toEqual([]);
    await passTime(fixture, { ms: SETTLED_MS + limits.reconfirmAfterMs, stepMs: 1_000 });
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("is marked paid at once after a lost mark, where the shop refuses an older write", async () => {
    const { fixture, paymentId } = await fixtureWithPendingAttempt();
    await fixture.work();
    fixture.service.pay("session-1");
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(fixture.store.paid).toHaveLength(1);
  });
});

/** An attempt is so old that its order is marked pending by the next job. The first mark gets no answer. */
async function fixtureWithPendingAttempt(memberWrites: StoreAdapter["memberWrites"] = {}) {
  const writes: number[] = [];
  const fixture = createEngineFixture({
    store: {
      memberWrites,
      async markPending() {
        writes.push(fixture.clock.now());
        if (writes.length === 1) throw new StoreError("unknown", "timed out");
      },
    },
  });
  const paymentId = await startPayment(fixture);
  await deliver(fixture, "started", "PAYMENT_CREATED", { checkout_session_id: "session-1" });
  await fixture.clock.advance(limits.pendingAfterMs);
  return { fixture, writes, paymentId };
}
