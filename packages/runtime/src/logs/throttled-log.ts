import type { Clock } from "@tillkit/core";
import { runtimeLimits } from "../limits.ts";

/** Returns a function that calls `write` at most once a minute: a lasting fault becomes one log line a minute. */
export function createThrottledLog(clock: Clock): (write: () => void) => void {
  let lastWrittenAt = Number.NEGATIVE_INFINITY;
  return function throttledLog(write) {
    if (clock.now() - lastWrittenAt < runtimeLimits.repeatedLogIntervalMs) return;
    lastWrittenAt = clock.now();
    write();
  };
}
