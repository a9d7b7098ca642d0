import { describe, expect, it } from "vitest";
import { type Clock, type Engine, limits, runDue, startCheckout, type WriteClass } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";

const HOUR = 3_600_000;
const CONDITIONAL: WriteClass = { kind: "conditional" };
const READ_THEN_WRITE: WriteClass = { kind: "read-then-write", settleAfterMs: 120_000 };

/** A clock of a machine. `aheadMs` is how far it is ahead of the true time. */
type WrongClock = Clock & { aheadMs: number };

function wrongClock({ clock }: EngineFixture, aheadMs: number): WrongClock {
  return {
    aheadMs,
    now() {
      return clock.now() + this.aheadMs;
    },
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}

async function pay(fixture: EngineFixture, engine: Engine): Promise<void> {
  await startCheckout(engine, anOrder());
  fixture.service.pay("session-1");
}

/** Lets ten minutes pass, in which this process runs what is due each second. */
async function tenMinutes({ clock }: EngineFixture, engine: Engine): Promise<void> {
  for (let second = 0; second < 600; second += 1) {
    await clock.advance(1_000);
    // A run that hangs goes on beside the next one, as with the timer of a host.
    void runDue(engine);
    await clock.advance(0);
  }
}

async function expectRecorded({ ledger }: EngineFixture): Promise<void> {
  const payments = await ledger.paymentsOfOrder(anOrder().ref);
  expect(payments.map(({ state }) => state)).toEqual(["recorded"]);
}

describe.each([
  ["80 hours", 80 * HOUR],
  ["30 days", 30 * 24 * HOUR],
])("a clock that was %s ahead and is set back", (_title, aheadMs) => {
  it("an order that was started by the wrong clock is paid within ten minutes after a kill, without a webhook", async () => {
    const fixture = createEngineFixture();
    await pay(fixture, fixture.anotherProcess("killed", wrongClock(fixture, aheadMs)));
    await tenMinutes(fixture, fixture.engine);
    await expectRecorded(fixture);
    expect(fixture.service.reads.length).toBeLessThanOrEqual(5);
  });

  it.each([CONDITIONAL, READ_THEN_WRITE])(
    "an order whose write was cut off by a kill is paid within ten minutes, in a store with writes of $kind",
    async (writes) => {
      let isKilled = false;
      const fixture: EngineFixture = createEngineFixture({
        writes,
        store: {
          markPaid: async () =>
            isKilled ? { outcome: "recorded", evidence: "read-back" } : new Promise(() => undefined),
        },
        // A killed process neither releases its leases nor renews them.
        wrapLedger: (ledger) => ({
          ...ledger,
          renewJobs: async (...call) => (call[1] === "killed" && isKilled ? [] : await ledger.renewJobs(...call)),
        }),
      });
      const clock = wrongClock(fixture, aheadMs);
      const killed = fixture.anotherProcess("killed", {
        ...clock,
        now: () => clock.now(),
        sleep: () => new Promise(() => undefined),
      });
      await pay(fixture, killed);
      await fixture.clock.advance(limits.maxCheckGapMs);
      void runDue(killed);
      await fixture.clock.advance(0);
      expect((await fixture.expectPaymentIn("verified")).storeWriteAt).not.toBeNull();
      isKilled = true;
      await tenMinutes(fixture, fixture.engine);
      await expectRecorded(fixture);
    },
  );

  it("the same process pays the order within ten minutes, although its circuit breaker opened while the clock was wrong", async () => {
    const fixture = createEngineFixture();
    const clock = wrongClock(fixture, aheadMs);
    const engine = fixture.anotherProcess("running", clock);
    await pay(fixture, engine);
    for (let index = 0; index < limits.breakerOpensAt; index += 1)
      engine.circuitBreakers.record("store:shop", `p${index}`, false);
    expect(engine.circuitBreakers.list()).toHaveLength(1);
    clock.aheadMs = 0;
    await tenMinutes(fixture, engine);
    await expectRecorded(fixture);
  });

  it("a reading from before the correction is not shared with callers after it", async () => {
    const fixture = createEngineFixture();
    const clock = wrongClock(fixture, aheadMs);
    const engine = fixture.anotherProcess("running", clock);
    let loads = 0;
    const read = () =>
      engine.sessionCache.read("p1", limits.verifiedReadingMaxAgeMs, async () => {
        loads += 1;
        return {};
      });
    await read();
    clock.aheadMs = 0;
    await read();
    await read();
    expect(loads).toBe(2);
  });

  it("a platform's schedule that the wrong clock has set is followed from the true time", async () => {
    let isDown = true;
    const fixture = createEngineFixture({
      store: {
        retryScheduleMs: [5_000, 10_000],
        markPaid: async () => {
          if (isDown) throw new Error("no answer");
          return { outcome: "recorded", evidence: "read-back" };
        },
      },
    });
    const clock = wrongClock(fixture, aheadMs);
    const engine = fixture.anotherProcess("running", clock);
    await pay(fixture, engine);
    await fixture.clock.advance(limits.maxCheckGapMs);
    await runDue(engine);
    expect((await fixture.expectPaymentIn("verified")).storeRetryAt).toBeGreaterThan(fixture.clock.now() + aheadMs);
    isDown = false;
    clock.aheadMs = 0;
    await tenMinutes(fixture, engine);
    await expectRecorded(fixture);
  });

  it("a session that seemed to be over and was replaced is read again, and its payment is found", async () => {
    const fixture = createEngineFixture();
    const clock = wrongClock(fixture, aheadMs);
    const engine = fixture.anotherProcess("running", clock);
    await startCheckout(engine, anOrder());
    await startCheckout(engine, anOrder());
    await fixture.clock.advance(limits.maxCheckGapMs);
    await runDue(engine);
    clock.aheadMs = 0;
    fixture.service.pay("session-1");
    await tenMinutes(fixture, engine);
    const payments = await fixture.ledger.paymentsOfOrder(anOrder().ref);
    expect(payments.map(({ state }) => state).toSorted()).toEqual(["open", "recorded"]);
  });
});
