import type { Clock } from "../ports/clock.ts";
import { setTimer } from "./deadline.ts";

/**
 * Runs `work` and calls `renew` every `everyMs` until `work` ends. `renew` does not throw; it returns false when there is nothing to
 * renew any more. Two renewals never overlap. The last renewal is awaited, so that it cannot take effect after this function has
 * returned.
 */
export async function runWithRenewal<Value>(
  clock: Clock,
  everyMs: number,
  renew: () => Promise<boolean>,
  work: () => Promise<Value>,
): Promise<Value> {
  let isEnded = false;
  let renewing = Promise.resolve();
  let cancelTimer = scheduleNext();

  function scheduleNext(): () => void {
    return setTimer(clock, everyMs, () => {
      renewing = renew().then((continues) => {
        if (continues && !isEnded) cancelTimer = scheduleNext();
      });
    });
  }

  try {
    return await work();
  } finally {
    isEnded = true;
    cancelTimer();
    await renewing;
  }
}
