import type { Clock } from "../ports/clock.ts";

/** Rejects with `timeoutError()` when `work` takes longer than `ms`. The work itself goes on and may still have its effect. */
export function withDeadline<Value>(
  clock: Clock,
  ms: number,
  work: Promise<Value>,
  timeoutError: () => Error,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancelTimer = setTimer(clock, ms, () => reject(timeoutError()));
    work.then(resolve, reject).finally(cancelTimer);
  });
}

/** Calls `onTimeout` after `ms` on every clock, and returns a function that cancels the timer. */
export function setTimer(clock: Clock, ms: number, onTimeout: () => void): () => void {
  if (clock.setTimer) return clock.setTimer(ms, onTimeout);
  const controller = new AbortController();
  clock.sleep(ms, controller.signal).then(onTimeout, () => undefined);
  // Abort with a string: building the default AbortError with its stack is expensive.
  return () => controller.abort("cancelled");
}

/** The value of `work`, or null when it takes longer than `ms` or `stop` is aborted first. The work itself goes on. */
export async function resolveWithin<Value>(
  clock: Clock,
  ms: number,
  work: Promise<Value>,
  stop?: AbortSignal,
): Promise<Value | null> {
  const controller = new AbortController();
  // Abort with a string: building the default AbortError with its stack is expensive.
  const stopWaiting = () => controller.abort("stopped");
  if (stop?.aborted) stopWaiting();
  stop?.addEventListener("abort", stopWaiting);
  const timeout = clock.sleep(ms, controller.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([work, timeout]);
  } finally {
    stop?.removeEventListener("abort", stopWaiting);
    stopWaiting();
  }
}

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
