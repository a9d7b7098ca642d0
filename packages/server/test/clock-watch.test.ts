import { createMemoryLedger, type Log, limits } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { expect, it } from "vitest";
import { createClockWatch } from "../src/clock-watch.ts";

function watch(offMs: number | "unreachable") {
  const clock = createManualClock();
  const said: string[] = [];
  const say = (message: string) => said.push(message);
  const log: Log = { info: say, warn: say, error: say };
  let asked = 0;
  const time = async () => {
    asked += 1;
    if (offMs === "unreachable") throw new Error("down");
    return clock.now() + offMs;
  };
  const watched = createClockWatch({ ...createMemoryLedger(), currentTime: time }, clock, log);
  return { clock, said, agrees: watched.agrees, asked: () => asked };
}

it("lets a machine work whose clock agrees with its database", async () => {
  const { agrees, said } = watch(limits.clockSkewMs / 2);
  expect(await agrees()).toBe(true);
  expect(said).toEqual([]);
});

it.each([limits.clockSkewMs, -limits.clockSkewMs])(
  "keeps a machine from work that is %i ms off, and says why",
  async (offMs) => {
    const { agrees, said } = watch(offMs);
    expect(await agrees()).toBe(false);
    expect(said).toEqual(["timer.clock_differs"]);
  },
);

it("compares once a minute", async () => {
  const { agrees, asked, clock } = watch(0);
  for (let second = 0; second < 130; second += 1) {
    await agrees();
    await clock.advance(1_000);
  }
  expect(asked()).toBe(3);
});

it("goes on while the database cannot be asked: it could not work anyway", async () => {
  const { agrees, said } = watch("unreachable");
  expect(await agrees()).toBe(true);
  expect(said).toEqual(["timer.clock_not_compared"]);
});

it("needs no comparison where the ledger is on the same machine", async () => {
  const clock = createManualClock();
  const silent: Log = { info() {}, warn() {}, error() {} };
  expect(await createClockWatch(createMemoryLedger(), clock, silent).agrees()).toBe(true);
});
