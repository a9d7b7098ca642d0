import { describe, expect, it } from "vitest";
import { confirmPayment, limits, type PaymentLedger } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { passTime, startAndPay } from "../fixture/steps.ts";

describe("a worker that sleeps while the ledger answers its intent to write", () => {
  it("does not mark the order paid when its lease may be over, and the next worker does", async () => {
    const { fixture, sleepAfterIntent } = fixtureWithSleepyLedger();
    const paymentId = await startAndPay(fixture);
    sleepAfterIntent(30 * 3_600_000);
    const answer = await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(fixture.store.paid).toEqual([]);
    expect(answer.retryAt).not.toBeNull();
    await passTime(fixture, { ms: limits.longestRetryMs, stepMs: 1_000 });
    await fixture.expectPaymentIn("recorded");
    expect(fixture.store.paid).toHaveLength(1);
  });
});

/** A fixture whose machine sleeps right after the ledger has stored the next write intent. */
function fixtureWithSleepyLedger() {
  let sleepMs = 0;
  const fixture = createEngineFixture({
    wrapLedger: (ledger): PaymentLedger => ({
      ...ledger,
      async commit(change) {
        const answer = await ledger.commit(change);
        const isIntent = change.payment !== undefined && change.payment.next.storeWriteAt !== null;
        const ms = isIntent ? sleepMs : 0;
        sleepMs = isIntent ? 0 : sleepMs;
        if (ms > 0) await fixture.clock.advance(ms);
        return answer;
      },
    }),
  });
  return {
    fixture,
    sleepAfterIntent(ms: number) {
      sleepMs = ms;
    },
  };
}
