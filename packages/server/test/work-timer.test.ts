import { silentLog } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, test } from "vitest";
import { hostLimits } from "../src/limits.ts";
import { createWorkTimer, type WorkTimerOptions } from "../src/work-timer.ts";

const oneTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Asks `work` how many pieces it begins; the first go starts at once, and a piece is over as soon as it is begun. */
function openTimer(work: () => Promise<number>, log = silentLog) {
  return openTimerOf(async (jobEnded) => {
    const claimed = await work();
    for (let job = 0; job < claimed; job += 1) queueMicrotask(jobEnded);
    return { claimed, finished: Promise.resolve() };
  }, log);
}

function openTimerOf(begin: WorkTimerOptions["begin"], log = silentLog) {
  const clock = createManualClock();
  return {
    clock,
    timer: createWorkTimer({ begin, eachTurn: () => undefined, giveWay: oneTurn, clock, stopwatch: clock, log }),
  };
}

describe("the timer that does what is due", () => {
  test("looks once a second while nothing is due", async () => {
    let rounds = 0;
    const { clock, timer } = openTimer(async () => {
      rounds += 1;
      return 0;
    });
    timer.start();
    await clock.advance(5_500);
    expect(rounds).toBe(6);
    await timer.close();
  });

  test("goes on at once while there is more, so that a backlog does not take a second a round", async () => {
    const left = [20, 20, 7, 0];
    let rounds = 0;
    const { clock, timer } = openTimer(async () => {
      rounds += 1;
      return left.shift() ?? 0;
    });
    timer.start();
    for (let turn = 0; turn < 10; turn += 1) await clock.advance(0);
    expect(rounds).toBe(4);
    await timer.close();
  });

  test("is woken by a webhook", async () => {
    let rounds = 0;
    const { clock, timer } = openTimer(async () => {
      rounds += 1;
      return 0;
    });
    timer.start();
    for (let turn = 0; turn < 3; turn += 1) await clock.advance(0);
    expect(rounds).toBe(1);
    timer.kick();
    for (let turn = 0; turn < 3; turn += 1) await clock.advance(0);
    expect(rounds).toBe(2);
    await timer.close();
  });

  test("does not forget a webhook that comes while it is working", async () => {
    let rounds = 0;
    const ends: (() => void)[] = [];
    const { clock, timer } = openTimer(async () => {
      rounds += 1;
      await new Promise<void>((resolve) => ends.push(resolve));
      return 0;
    });
    timer.start();
    await clock.advance(0);
    timer.kick();
    timer.kick();
    expect(rounds).toBe(1);
    ends.shift()?.();
    for (let turn = 0; turn < 3; turn += 1) await clock.advance(0);
    expect(rounds).toBe(2);
    const closing = timer.close();
    ends.shift()?.();
    await closing;
  });

  test("does not wait for a shop that hangs", async () => {
    const begun: number[] = [];
    const { clock, timer } = openTimerOf(async () => {
      begun.push(clock.now());
      return {
        claimed: begun.length === 1 ? 1 : 0,
        finished: begun.length === 1 ? clock.sleep(20_000) : Promise.resolve(),
      };
    });
    const start = clock.now();
    timer.start();
    timer.start();
    for (let turn = 0; turn < 3; turn += 1) await clock.advance(0);
    await clock.advance(2_500);
    expect(begun.map((at) => at - start)).toEqual([0, 0, 1_000, 2_000]);
    const closing = timer.close();
    await clock.advance(20_000);
    await closing;
  });

  test("asks a ledger that does not answer once, and stays alive beside it", async () => {
    let asked = 0;
    const { clock, timer } = openTimerOf(async () => {
      asked += 1;
      await clock.sleep(30_000);
      return { claimed: 0, finished: Promise.resolve() };
    });
    timer.start();
    for (let second = 0; second < 20; second += 1) {
      await clock.advance(1_000);
      expect(clock.now() - (timer.seenAt() ?? 0)).toBeLessThanOrEqual(1_000);
    }
    expect(asked).toBe(1);
    const closing = timer.close();
    await clock.advance(10_000);
    await closing;
  });

  test("never has more work under way than it may, and goes on as soon as a piece is over", async () => {
    const ends: (() => void)[] = [];
    const { clock, timer } = openTimerOf(async (jobEnded) => {
      for (let job = 0; job < 8; job += 1) ends.push(jobEnded);
      return { claimed: 8, finished: Promise.resolve() };
    });
    timer.start();
    for (let second = 0; second < 90; second += 1) {
      timer.kick();
      await clock.advance(1_000);
      expect(clock.now() - (timer.seenAt() ?? 0)).toBeLessThanOrEqual(1_000);
    }
    expect(ends).toHaveLength(hostLimits.jobsAtOnce);
    ends[0]?.();
    for (let turn = 0; turn < 3; turn += 1) await clock.advance(0);
    expect(ends).toHaveLength(hostLimits.jobsAtOnce + 8);
    await timer.close();
  });

  test("goes on after an error, and says so once a minute, not once a second", async () => {
    const lines: string[] = [];
    let rounds = 0;
    const log = { ...silentLog, error: (message: string) => lines.push(message) };
    const { clock, timer } = openTimer(async () => {
      rounds += 1;
      throw new Error("no database");
    }, log);
    timer.start();
    await clock.advance(119_500);
    expect(rounds).toBe(120);
    expect(lines).toEqual(["timer.round_failed", "timer.round_failed"]);
    await timer.close();
  });

  test("lets the work under way finish when the host closes, and begins no other", async () => {
    let rounds = 0;
    const { clock, timer } = openTimer(async () => {
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

  test("does not keep a host from closing for longer than ten seconds", async () => {
    const { clock, timer } = openTimer(() => new Promise(() => undefined));
    timer.start();
    const closing = timer.close();
    await clock.advance(10_000);
    await closing;
  });

  test("does nothing before it is started, or once it is closed", async () => {
    let rounds = 0;
    const { clock, timer } = openTimer(async () => {
      rounds += 1;
      return 0;
    });
    timer.kick();
    await clock.advance(5_000);
    await timer.close();
    timer.start();
    await clock.advance(5_000);
    expect(rounds).toBe(0);
  });
});
