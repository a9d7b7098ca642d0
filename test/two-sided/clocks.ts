import { setTimeout as sleepInRealTime } from "node:timers/promises";
import type { Clock } from "@tillkit/client";

/** A clock that runs at twenty times real speed, for waits during which the service really works. */
export function createFastClock(): Clock {
  const speed = 20;
  const startedAt = performance.now();
  return {
    now: () => startedAt + (performance.now() - startedAt) * speed,
    sleep: (ms, signal) => sleepInRealTime(ms / speed, undefined, { signal, ref: false }),
  };
}

/** A clock that skips the waits between attempts. The deadline of a call, which is longer, never expires. */
export function createSkippingClock(): Clock {
  let time = Date.UTC(2026, 0, 5, 9);
  return {
    now: () => time,
    async sleep(ms, signal) {
      if (ms >= 10_000) return sleepInRealTime(2 ** 31 - 1, undefined, { signal, ref: false });
      time += ms;
    },
  };
}
