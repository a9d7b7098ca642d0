import type { Clock } from "@tillkit/core";
import { hostLimits } from "./limits.ts";

/** Runs `tell` at most once a minute: a fault that lasts is one line a minute, not a flood. */
export function createOnceAMinute(clock: Clock): (tell: () => void) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return function onceAMinute(tell) {
    if (clock.now() - toldAt < hostLimits.sameFaultMs) return;
    toldAt = clock.now();
    tell();
  };
}
