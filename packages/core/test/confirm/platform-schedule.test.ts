import { describe, expect, it } from "vitest";
import { confirmPayment, runDue, StoreError } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { passTime, startPayment } from "../fixture/steps.ts";

describe("a platform with its own retry schedule", () => {
  const schedule = [5_000, 10_000, 30_000, 300_000];

  function reluctant(tries: number[]): EngineFixture {
    const fixture: EngineFixture = createEngineFixture({
      store: {
        retryScheduleMs: schedule,
        markPaid: async () => {
          tries.push(fixture.clock.now());
          throw new StoreError("unavailable", "Try again later.");
        },
      },
    });
    return fixture;
  }

  it("a platform with a retry schedule is written exactly at its times, whatever happens between them", async () => {
    const tries: number[] = [];
    const fixture = reluctant(tries);
    const paymentId = await startPayment(fixture);
    fixture.service.pay("session-1");
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    for (let second = 0; second < 800; second += 1) {
      await fixture.clock.advance(1_000);
      await fixture.work();
      if (second % 7 === 0) await confirmPayment(fixture.engine, paymentId, { actor: "shopper" });
    }
    const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(waits.slice(0, 5)).toEqual([5_000, 10_000, 30_000, 300_000, 300_000]);
  });

  it("a platform's retry schedule continues after the process that wrote last has died", async () => {
    const tries: number[] = [];
    const fixture = reluctant(tries);
    const paymentId = await startPayment(fixture);
    fixture.service.pay("session-1");
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await passTime(fixture, 16_000, 1_000);
    expect(tries).toHaveLength(3);
    const other = fixture.another("two");
    await confirmPayment(other, paymentId, { actor: "operator" });
    expect(tries).toHaveLength(3);
    await fixture.clock.advance(30_000);
    await runDue(other);
    expect(tries).toHaveLength(4);
  });
});
