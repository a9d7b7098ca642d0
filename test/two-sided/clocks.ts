import { setTimeout as sleepInRealTime } from "node:timers/promises";
import type { Clock } from "@tillkit/client";

/** A clock that runs at twenty times real speed, for tests in which the client waits while the service works in real time. */
export function createFastClock(): Clock {
  const speed = 20;
  const startedAt = performance.now();
  return {
    now: () => startedAt + (performance.now() - startedAt) * speed,
    sleep: (ms, signal) => sleepInRealTime(ms / speed, undefined, { signal, ref: false }),
  };
}

/** Tells deadlines of calls, which are at least this long, from waits between attempts, which are shorter. */
const SHORTEST_DEADLINE_MS = 10_000;
/** The longest time that a timer of Node can wait. */
const FOREVER_MS = 2 ** 31 - 1;

/** A clock that skips the waits between attempts, and never lets the deadline of a call expire. */
export function createSkippingClock(): Clock {
  let time = Date.UTC(2026, 0, 5, 9);
  return {
    now: () => time,
    async sleep(ms, signal) {
      if (ms >= SHORTEST_DEADLINE_MS) return sleepInRealTime(FOREVER_MS, undefined, { signal, ref: false });
      time += ms;
    },
  };
}
