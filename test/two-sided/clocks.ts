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

/** Waits between attempts are shorter, deadlines of calls are longer. */
const SHORTEST_DEADLINE_MS = 10_000;

/** A clock that skips the waits between attempts, and never lets the deadline of a call expire. */
export function createSkippingClock(): Clock {
  let time = Date.UTC(2026, 0, 5, 9);
  return {
    now: () => time,
    async sleep(ms, signal) {
      if (ms >= SHORTEST_DEADLINE_MS) return sleepInRealTime(2 ** 31 - 1, undefined, { signal, ref: false });
      time += ms;
    },
  };
}
