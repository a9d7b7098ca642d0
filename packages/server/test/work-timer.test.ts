import { silentLog } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, test } from "vitest";
import { hostLimits } from "../src/limits.ts";
import { createWorkTimer, type WorkTimerOptions } from "../src/work-timer.ts";

const oneTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A pile of work; the first round starts at once. */
function openTimer(work: WorkTimerOptions["work"], log = silentLog) {
  const clock = createManualClock();
  return {
    clock,
    timer: createWorkTimer({ work, eachTurn: () => undefined, giveWay: oneTurn, clock, stopwatch: clock, log }),
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

  test("leaves a slow round to itself after half a second, and goes on beside it", async () => {
    const begun: number[] = [];
    const { clock, timer } = openTimer(async () => {
      begun.push(clock.now());
      if (begun.length === 1) await clock.sleep(20_000);
      return 0;
    });
    const start = clock.now();
    timer.start();
    timer.start();
    await clock.advance(3_500);
    expect(begun.map((at) => at - start)).toEqual([0, 500, 1_500, 2_500, 3_500]);
    const closing = timer.close();
    await clock.advance(20_000);
    await closing;
  });

  test("never has more rounds under way than it may, however often it is kicked", async () => {
    let atOnce = 0;
    let most = 0;
    const { clock, timer } = openTimer(async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await clock.sleep(60_000);
      atOnce -= 1;
      return 0;
    });
    timer.start();
    for (let second = 0; second < 90; second += 1) {
      timer.kick();
      await clock.advance(1_000);
      expect(clock.now() - (timer.seenAt() ?? 0)).toBeLessThanOrEqual(1_000);
    }
    expect(most).toBe(hostLimits.roundsAtOnce);
    const closing = timer.close();
    await clock.advance(10_000);
    await closing;
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
