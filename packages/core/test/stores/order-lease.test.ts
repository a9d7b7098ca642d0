import { expect, it } from "vitest";
import { confirmPayment, limits, StoreError } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passTime, startPayment } from "../fixture/steps.ts";

const READ_THEN_WRITE = { kind: "read-then-write", settleAfterMs: 120_000 } as const;
const ORDER = anOrder();
const EDITED_ORDER = anOrder({ total: { minor: 7_500, currency: "XOF" } });

async function start(fixture: EngineFixture, order: typeof ORDER): Promise<string> {
  fixture.store.order = order;
  return await startPayment(fixture, order);
}

it("a store is not written while a lost write of another payment of the same order may still take effect", async () => {
  const fixture = createEngineFixture({ writes: READ_THEN_WRITE });
  const first = await start(fixture, ORDER);
  const second = await start(fixture, EDITED_ORDER);
  fixture.service.pay("session-2");
  fixture.store.nextAnswers.push(() => Promise.reject(new StoreError("unknown", "timed out")));
  await confirmPayment(fixture.engine, second, { actor: "webhook" });
  // The order has the total of the first page again, and that page is paid too.
  fixture.store.order = ORDER;
  await fixture.clock.advance(limits.reconfirmAfterMs);
  // What the store shows against the second payment is not final while its own write may still take effect.
  expect(await confirmPayment(fixture.engine, second, { actor: "timer" })).toMatchObject({ status: "recording" });
  fixture.service.pay("session-1");
  expect(await confirmPayment(fixture.engine, first, { actor: "webhook" })).toMatchObject({ status: "duplicate" });
  expect(fixture.store.paid).toEqual([]);
  await fixture.clock.advance(limits.storeCallMs + READ_THEN_WRITE.settleAfterMs + limits.clockSkewMs);
  expect(await confirmPayment(fixture.engine, second, { actor: "timer" })).toMatchObject({ status: "held" });
  await passTime(fixture, { ms: 4 * limits.reconfirmAfterMs, stepMs: 1_000 });
  expect(fixture.store.paid.map(({ paymentId }) => paymentId)).toEqual([first]);
});

it("an order is not marked paid while a lost write of an unpaid payment of the order may still take effect", async () => {
  const fixture = createEngineFixture({ writes: READ_THEN_WRITE });
  const first = await start(fixture, ORDER);
  const second = await start(fixture, EDITED_ORDER);
  const payment = await fixture.ledger.find({ id: first });
  if (!payment) throw new Error("The first payment is gone.");
  const next = { ...payment, storeWriteAt: fixture.clock.now(), version: payment.version + 1 };
  await fixture.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
  fixture.service.pay("session-2");
  await confirmPayment(fixture.engine, second, { actor: "webhook" });
  expect(fixture.store.paid).toEqual([]);
  await fixture.clock.advance(limits.storeCallMs + READ_THEN_WRITE.settleAfterMs + limits.clockSkewMs);
  await confirmPayment(fixture.engine, second, { actor: "timer" });
  expect(fixture.store.paid.map(({ paymentId }) => paymentId)).toEqual([second]);
});

it("a process that was delayed after it leased an order renews the lease before it writes to the store", async () => {
  // The process freezes once, when it has leased the order and reads the order's payments. A frozen process renews no lease.
  let delayMs = 0;
  let isFrozen = false;
  const fixture = createEngineFixture({
    wrapLedger: (ledger) => ({
      ...ledger,
      async paymentsOfOrder(ref) {
        isFrozen = delayMs > 0;
        if (isFrozen) await fixture.clock.advance(delayMs);
        delayMs = 0;
        isFrozen = false;
        return await ledger.paymentsOfOrder(ref);
      },
      async renewOrder(...lease) {
        if (isFrozen) throw new Error("The process is frozen.");
        return await ledger.renewOrder(...lease);
      },
    }),
  });
  const paymentId = await start(fixture, ORDER);
  fixture.service.pay("session-1");
  let otherFence: number | null = 0;
  fixture.store.nextAnswers.push(async () => {
    await fixture.clock.advance(2_000);
    otherFence = await fixture.ledger.lockOrder(ORDER.ref, "another process", fixture.clock.now(), limits.orderLeaseMs);
    return "go on";
  });
  delayMs = limits.orderLeaseMs + 1_000;
  expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "paid" });
  expect([delayMs, otherFence]).toEqual([0, null]);
});

it("a store that takes longer than the lease is written by one process, because the lease is renewed while the write runs", async () => {
  const fixture: EngineFixture = createEngineFixture();
  const paymentId = await start(fixture, ORDER);
  fixture.service.pay("session-1");
  const fences: (number | null)[] = [];
  fixture.store.nextAnswers.push(async () => {
    for (let waitedMs = 0; waitedMs < limits.storeCallMs - 1_000; waitedMs += 1_000) {
      await fixture.clock.advance(1_000);
      fences.push(await fixture.ledger.lockOrder(ORDER.ref, "another", fixture.clock.now(), limits.orderLeaseMs));
    }
    return "go on";
  });
  expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "paid" });
  expect(new Set(fences)).toEqual(new Set([null]));
});

// #region takeover
it("after a crash another process leases the order within seconds", async () => {
  const fixture: EngineFixture = createEngineFixture();
  await start(fixture, ORDER);
  const { ledger, clock } = fixture;
  await ledger.lockOrder(ORDER.ref, "a process that died", clock.now(), limits.orderLeaseMs);
  await clock.advance(limits.orderLeaseMs);
  expect(limits.orderLeaseMs).toBeLessThanOrEqual(15_000);
  expect(await ledger.lockOrder(ORDER.ref, "another", clock.now(), limits.orderLeaseMs)).not.toBeNull();
});
// #endregion takeover
