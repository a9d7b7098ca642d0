import { type Log, limits } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createManualClock } from "@tillkit/testkit";
import { expect, it } from "vitest";
import { createClockCheck } from "../src/timer/clock-check.ts";

function createCheck(offMs: number | "unreachable") {
  const clock = createManualClock();
  const lines: string[] = [];
  const write = (message: string) => lines.push(message);
  const log: Log = { info: write, warn: write, error: write };
  let asked = 0;
  const time = async () => {
    asked += 1;
    if (offMs === "unreachable") throw new Error("down");
    return clock.now() + offMs;
  };
  const check = createClockCheck({ ...createMemoryLedger(), currentTime: time }, clock, log);
  return { clock, lines, isInSync: check.isInSync, asked: () => asked };
}

it("a machine works when its clock differs from its database's by at most half the allowed skew", async () => {
  const { isInSync, lines } = createCheck(limits.clockSkewMs / 2);
  expect(await isInSync()).toBe(true);
  expect(lines).toEqual([]);
});

it.each([limits.clockSkewMs, -limits.clockSkewMs])(
  "a machine whose clock is %i ms off does no work and logs the reason",
  async (offMs) => {
    const { isInSync, lines } = createCheck(offMs);
    expect(await isInSync()).toBe(false);
    expect(lines).toEqual(["timer.clock_differs"]);
  },
);

it("the clocks are compared once a minute", async () => {
  const { isInSync, asked, clock } = createCheck(0);
  for (let second = 0; second < 130; second += 1) {
    await isInSync();
    await clock.advance(1_000);
  }
  expect(asked()).toBe(3);
});

it("a machine works while its database cannot be asked for the time", async () => {
  const { isInSync, lines } = createCheck("unreachable");
  expect(await isInSync()).toBe(true);
  expect(lines).toEqual(["timer.clock_not_compared"]);
});

it("a machine works when its ledger has no clock of its own", async () => {
  const clock = createManualClock();
  const silent: Log = { info() {}, warn() {}, error() {} };
  expect(await createClockCheck(createMemoryLedger(), clock, silent).isInSync()).toBe(true);
});
