import { expect, it } from "vitest";
import { confirmPayment, limits, StoreError, startCheckout } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";

const READ_THEN_WRITE = { kind: "read-then-write", settleAfterMs: 120_000 } as const;
const ORDER = anOrder();
const EDITED_ORDER = anOrder({ total: { minor: 7_500, currency: "XOF" } });

async function start(fixture: EngineFixture, order: typeof ORDER): Promise<string> {
  fixture.store.order = order;
  return (await startCheckout(fixture.engine, order)).paymentId ?? "";
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
  expect(await confirmPayment(fixture.engine, second, { actor: "timer" })).toMatchObject({ status: "held" });
  fixture.service.pay("session-1");
  expect(await confirmPayment(fixture.engine, first, { actor: "webhook" })).toMatchObject({ status: "recording" });
  expect(fixture.store.paid).toEqual([]);
  await fixture.clock.advance(limits.storeCallMs + READ_THEN_WRITE.settleAfterMs + limits.clockSkewMs);
  expect(await confirmPayment(fixture.engine, first, { actor: "timer" })).toMatchObject({ status: "paid" });
  expect(fixture.store.paid.map(({ paymentId }) => paymentId)).toEqual([first]);
});

it("a process that was delayed after it leased an order renews the lease before it writes to the store", async () => {
  let delayMs = 0;
  const fixture = createEngineFixture({
    wrapLedger: (ledger) => ({
      ...ledger,
      async paymentsOfOrder(ref) {
        const ms = delayMs;
        delayMs = 0;
        if (ms > 0) await fixture.clock.advance(ms);
        return await ledger.paymentsOfOrder(ref);
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
  delayMs = limits.orderLeaseMs - 1_000;
  expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "paid" });
  expect([delayMs, otherFence]).toEqual([0, null]);
});
