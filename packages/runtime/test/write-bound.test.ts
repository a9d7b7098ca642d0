import { limits } from "@tillkit/core";
import { describe, expect, test } from "vitest";
import { createWriteBound } from "../src/index.ts";

const HOUR = 3_600_000;

describe("the last moment for a write to a store in this process", () => {
  test.each([
    [
      "the call took as long as a call to a store may take",
      { wall: limits.storeCallMs, monotonic: limits.storeCallMs },
    ],
    ["the machine slept, so that its monotonic clock stood still", { wall: 30 * HOUR, monotonic: 5 }],
    ["the wall clock was set back while the time passed", { wall: -HOUR, monotonic: limits.storeCallMs }],
  ])("has passed when %s", (_, passed) => {
    const clock = movableClocks();
    const bound = createWriteBound(clock);
    clock.pass({ wall: limits.storeCallMs - 1, monotonic: limits.storeCallMs - 1 });
    expect(bound.isOver()).toBe(false);
    bound.assertInTime();
    clock.reset();
    clock.pass(passed);
    expect(bound.isOver()).toBe(true);
    expect(() => bound.assertInTime()).toThrow(expect.objectContaining({ code: "unavailable" }));
  });
});

function movableClocks() {
  const start = { wall: Date.UTC(2026, 10, 28, 9), monotonic: 1_000 };
  let current = start;
  return {
    now: () => current.wall,
    monotonicNow: () => current.monotonic,
    pass({ wall, monotonic }: typeof start) {
      current = { wall: current.wall + wall, monotonic: current.monotonic + monotonic };
    },
    reset() {
      current = start;
    },
  };
}
