import { silentLog } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, test } from "vitest";
import { runtimeLimits } from "../src/limits.ts";
import { createWorkTimer, type WorkTimerOptions } from "../src/timer/work-timer.ts";

/** `claim` returns how many jobs a round claims. Each job ends right after its start. */
function createTimerOfShortJobs(claim: () => Promise<number>, log = silentLog) {
  return createTimer(async (jobEnded) => {
    const claimed = await claim();
    for (let job = 0; job < claimed; job += 1) queueMicrotask(jobEnded);
    return { claimed, finished: Promise.resolve() };
  }, log);
}

function createTimer(startJobs: WorkTimerOptions["startJobs"], log = silentLog) {
  const clock = createManualClock();
  return {
    clock,
    timer: createWorkTimer({ startJobs, clock, realClock: clock, log }),
  };
}

/** Lets the timer work in a few turns of the event loop, without time passing. */
async function passTurns({ advance }: ReturnType<typeof createManualClock>, turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await advance(0);
}

describe("the work timer", () => {
  test("the timer looks for jobs once a second while no job is due", async () => {
    let rounds = 0;
    const { clock, timer } = createTimerOfShortJobs(async () => {
      rounds += 1;
      return 0;
    });
    timer.start();
    await clock.advance(5_500);
    expect(rounds).toBe(6);
    await timer.close();
  });

  test("the timer starts the next round at once while there are more jobs", async () => {
    const claimedInRounds = [20, 20, 7, 0];
    let rounds = 0;
    const { clock, timer } = createTimerOfShortJobs(async () => {
      rounds += 1;
      return claimedInRounds.shift() ?? 0;
    });
    timer.start();
    await passTurns(clock, 10);
    expect(rounds).toBe(4);
    await timer.close();
  });

  test("a webhook wakes the timer before its pause of one second is over", async () => {
    let rounds = 0;
    const { clock, timer } = createTimerOfShortJobs(async () => {
      rounds += 1;
      return 0;
    });
    timer.start();
    await passTurns(clock);
    expect(rounds).toBe(1);
    timer.wake();
    await passTurns(clock);
    expect(rounds).toBe(2);
    await timer.close();
  });

  test("a webhook that arrives during a round starts another round after it", async () => {
    let rounds = 0;
    const ends: (() => void)[] = [];
    const { clock, timer } = createTimerOfShortJobs(async () => {
      rounds += 1;
      await new Promise<void>((resolve) => ends.push(resolve));
      return 0;
    });
    timer.start();
    await clock.advance(0);
    timer.wake();
    timer.wake();
    expect(rounds).toBe(1);
    ends.shift()?.();
    await passTurns(clock);
    expect(rounds).toBe(2);
    const closing = timer.close();
    ends.shift()?.();
    await closing;
  });

  test("the timer does not wait for a store that hangs", async () => {
    const startedAt: number[] = [];
    const { clock, timer } = createTimer(async () => {
      startedAt.push(clock.now());
      return {
        claimed: startedAt.length === 1 ? 1 : 0,
        finished: startedAt.length === 1 ? clock.sleep(20_000) : Promise.resolve(),
      };
    });
    const start = clock.now();
    timer.start();
    timer.start();
    await passTurns(clock);
    await clock.advance(2_500);
    expect(startedAt.map((at) => at - start)).toEqual([0, 0, 1_000, 2_000]);
    const closing = timer.close();
    await clock.advance(20_000);
    await closing;
  });

  test("a ledger that does not answer is asked once, and the timer stays alive meanwhile", async () => {
    let asked = 0;
    const { clock, timer } = createTimer(async () => {
      asked += 1;
      await clock.sleep(30_000);
      return { claimed: 0, finished: Promise.resolve() };
    });
    timer.start();
    for (let second = 0; second < 20; second += 1) {
      await clock.advance(1_000);
      expect(clock.now() - (timer.lastRoundAt() ?? 0)).toBeLessThanOrEqual(1_000);
    }
    expect(asked).toBe(1);
    const closing = timer.close();
    await clock.advance(10_000);
    await closing;
  });

  test("no more than the maximum of jobs is under way, and the next jobs start as soon as a job ends", async () => {
    const ends: (() => void)[] = [];
    const { clock, timer } = createTimer(async (jobEnded) => {
      for (let job = 0; job < 8; job += 1) ends.push(jobEnded);
      return { claimed: 8, finished: Promise.resolve() };
    });
    timer.start();
    for (let second = 0; second < 90; second += 1) {
      timer.wake();
      await clock.advance(1_000);
      expect(clock.now() - (timer.lastRoundAt() ?? 0)).toBeLessThanOrEqual(1_000);
    }
    expect(ends).toHaveLength(runtimeLimits.maxJobsInFlight);
    ends[0]?.();
    await passTurns(clock);
    expect(ends).toHaveLength(runtimeLimits.maxJobsInFlight + 8);
    await timer.close();
  });

  test("the timer continues after an error and logs the error once a minute", async () => {
    const lines: string[] = [];
    let rounds = 0;
    const log = { ...silentLog, error: (message: string) => lines.push(message) };
    const { clock, timer } = createTimerOfShortJobs(async () => {
      rounds += 1;
      throw new Error("no database");
    }, log);
    timer.start();
    await clock.advance(119_500);
    expect(rounds).toBe(120);
    expect(lines).toEqual(["timer.round_failed", "timer.round_failed"]);
    await timer.close();
  });

  test("a closing timer waits for the work under way and starts no more", async () => {
    let rounds = 0;
    const { clock, timer } = createTimerOfShortJobs(async () => {
      rounds += 1;
      await clock.sleep(4_000);
      return 1;
    });
    timer.start();
    let closed = false;
    const closing = timer.close().then(() => {
      closed = true;
    });
    await clock.advance(3_999);
    expect(closed).toBe(false);
    await clock.advance(1);
    await closing;
    expect(rounds).toBe(1);
    expect(timer.isRunning()).toBe(false);
  });

  test("a closing timer waits no longer than ten seconds", async () => {
    const { clock, timer } = createTimerOfShortJobs(() => new Promise(() => undefined));
    timer.start();
    const closing = timer.close();
    await clock.advance(10_000);
    await closing;
  });

  test("a timer does nothing before its start and after its close", async () => {
    let rounds = 0;
    const { clock, timer } = createTimerOfShortJobs(async () => {
      rounds += 1;
      return 0;
    });
    timer.wake();
    await clock.advance(5_000);
    await timer.close();
    timer.start();
    await clock.advance(5_000);
    expect(rounds).toBe(0);
  });
});
