import type { Clock } from "@tillkit/core";
import { runtimeLimits } from "../limits.ts";

/** Returns a function that calls `write` at most once a minute: a lasting fault becomes one log line a minute. */
export function createThrottledLog(clock: Clock): (write: () => void) => void {
  let lastWrittenAt = Number.NEGATIVE_INFINITY;
  return function throttledLog(write) {
    const age = clock.now() - lastWrittenAt;
    // A negative age is unknown: the clock was set back since.
    if (age >= 0 && age < runtimeLimits.repeatedLogIntervalMs) return;
    lastWrittenAt = clock.now();
    write();
  };
}
