import { describe, expect, it } from "vitest";
import { confirmPayment, runDue, StoreError } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { passTime, startAndPay } from "../fixture/steps.ts";

describe("a platform with its own retry schedule", () => {
  const schedule = [5_000, 10_000, 30_000, 300_000];

  /** A store that is never available. `writtenAt`: the times of the writes to the store. */
  function fixtureWithUnavailableStore(): { fixture: EngineFixture; writtenAt: number[] } {
    const writtenAt: number[] = [];
    const fixture: EngineFixture = createEngineFixture({
      store: {
        retryScheduleMs: schedule,
        markPaid: async () => {
          writtenAt.push(fixture.clock.now());
          throw new StoreError("unavailable", "Try again later.");
        },
      },
    });
    return { fixture, writtenAt };
  }

  it("a platform that prescribes a retry schedule is written at exactly the prescribed times, however often a shopper returns", async () => {
    const { fixture, writtenAt } = fixtureWithUnavailableStore();
    const paymentId = await startAndPay(fixture);
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    // Long enough for the whole schedule and one repetition of its last wait.
    for (let second = 0; second < 800; second += 1) {
      await fixture.clock.advance(1_000);
      await fixture.work();
      const doesShopperReturn = second % 7 === 0;
      if (doesShopperReturn) await confirmPayment(fixture.engine, paymentId, { actor: "shopper" });
    }
    const waits = writtenAt.slice(1).map((at, index) => at - (writtenAt[index] ?? 0));
    expect(waits.slice(0, 5)).toEqual([5_000, 10_000, 30_000, 300_000, 300_000]);
  });

  it("a platform's retry schedule continues after the process that wrote last has died", async () => {
    const { fixture, writtenAt } = fixtureWithUnavailableStore();
    const paymentId = await startAndPay(fixture);
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await passTime(fixture, { ms: 16_000, stepMs: 1_000 });
    expect(writtenAt).toHaveLength(3);
    const other = fixture.anotherProcess("two");
    await confirmPayment(other, paymentId, { actor: "operator" });
    expect(writtenAt).toHaveLength(3);
    await fixture.clock.advance(30_000);
    await runDue(other);
    expect(writtenAt).toHaveLength(4);
  });
});
