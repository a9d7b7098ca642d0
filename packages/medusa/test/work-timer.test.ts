import { silentLog } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";
import { createWorkTimer } from "../src/till/work-timer.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the timer", () => {
  it("works once a second, at once while there is more, and at once when it is told of work", async () => {
    const clock = createManualClock();
    const found = [0, 3, 0, 0];
    let rounds = 0;
    const timer = createWorkTimer(async () => found[rounds++] ?? 0, clock, silentLog);
    timer.start();
    await turn();
    expect(rounds).toBe(1);
    await clock.advance(1_000);
    await turn();
    expect(rounds).toBe(3);
    timer.kick();
    await turn();
    expect(rounds).toBe(4);
    await timer.close();
  });

  it("begins another round beside one that hangs, and goes on after one that fails", async () => {
    const clock = createManualClock();
    let rounds = 0;
    const work = async () => {
      rounds += 1;
      if (rounds === 1) return await new Promise<number>(() => {});
      if (rounds === 2) throw new Error("The database is away.");
      return 0;
    };
    const timer = createWorkTimer(work, clock, silentLog);
    timer.start();
    await turn();
    await clock.advance(2_000);
    await turn();
    await clock.advance(1_000);
    await turn();
    expect(rounds).toBeGreaterThanOrEqual(3);
    const closed = timer.close();
    await clock.advance(10_000);
    await closed;
  });
});
