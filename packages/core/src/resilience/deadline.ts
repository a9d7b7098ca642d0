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
