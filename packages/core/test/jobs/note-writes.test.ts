import { describe, expect, it } from "vitest";
import { confirmPayment, limits, type StoreAdapter, StoreError, type StoreErrorCode } from "../../src/index.ts";
import { writeUnderLease } from "../../src/jobs/write-under-lease.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { passTime, SESSION_NEARLY_OVER_MS, startAndPay, startPayment } from "../fixture/steps.ts";

const SETTLE_AFTER_MS = 120_000;
const READ_THEN_WRITE = { kind: "read-then-write", settleAfterMs: SETTLE_AFTER_MS } as const;
const SETTLED_MS = limits.storeCallMs + SETTLE_AFTER_MS + limits.clockSkewMs;
const ORDER = { storeId: "shop", orderId: "1042" };

describe("the note about a payment that was made twice", () => {
  it("is written again after a lost answer only when the first request can no longer take effect", async () => {
    const { fixture, writes } = await fixtureWithNote("unknown", { addNote: READ_THEN_WRITE });
    await passTime(fixture, { ms: SETTLED_MS - 2_000, stepMs: 1_000 });
    expect(writes).toHaveLength(1);
    await passTime(fixture, { ms: limits.retryMaxMs, stepMs: 1_000 });
    expect(writes).toHaveLength(2);
  });

  it("is written again at once where the shop refuses a second note", async () => {
    const { fixture, writes } = await fixtureWithNote("unknown");
    await passTime(fixture, { ms: 10_000, stepMs: 1_000 });
    expect(writes).toHaveLength(2);
  });

  it("is not written while another worker writes to the order", async () => {
    const { fixture, writes } = await fixtureWithNote("unavailable");
    const { ledger, clock } = fixture;
    const fence = await ledger.lockOrder(ORDER, "another worker", clock.now(), limits.orderLeaseMs);
    await passTime(fixture, { ms: limits.orderLeaseMs - 1_000, stepMs: 1_000 });
    expect(writes).toHaveLength(1);
    await ledger.unlockOrder(ORDER, fence ?? 0);
    await passTime(fixture, { ms: 10_000, stepMs: 1_000 });
    expect(writes).toHaveLength(2);
  });
});

it.each([
  ["was written", () => Promise.resolve()],
  ["was refused", () => Promise.reject(new StoreError("unavailable", "The shop takes no notes."))],
])("a note that %s hides no write of the payment that may still take effect", async (_, write) => {
  const fixture = createEngineFixture();
  const paymentId = await startAndPay(fixture);
  fixture.store.nextAnswers.push(() => Promise.reject(new StoreError("unknown", "timed out")));
  await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  const payment = await fixture.expectPaymentIn("verified");
  expect(payment.storeWriteAt).not.toBeNull();
  await fixture.clock.advance(1_000);
  await writeUnderLease(fixture.engine, payment, "addNote", () => true, write).catch(() => undefined);
  expect(await fixture.expectPaymentIn("verified")).toMatchObject({
    version: payment.version + 2,
    storeWriteAt: payment.storeWriteAt,
  });
});

/** An order with a payment and a duplicate. The first write of the duplicate's note has failed. */
async function fixtureWithNote(code: StoreErrorCode, memberWrites: StoreAdapter["memberWrites"] = {}) {
  const writes: number[] = [];
  const fixture = createEngineFixture({
    store: {
      memberWrites,
      async addNote() {
        writes.push(fixture.clock.now());
        if (writes.length === 1) throw new StoreError(code, "The test fails this call.");
      },
    },
  });
  const first = await startPayment(fixture);
  await fixture.clock.advance(SESSION_NEARLY_OVER_MS);
  const second = await startPayment(fixture);
  for (const session of ["session-1", "session-2"]) fixture.service.pay(session);
  for (const paymentId of [first, second]) await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  await fixture.work();
  expect(writes).toHaveLength(1);
  return { fixture, writes };
}
