import { type Clock, StoreError } from "@tillkit/core";

/** The time limit of one request. */
export type Deadline = {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** Stops the timer: the request has ended. */
  cancel(): void;
};

/**
 * @param sendUntil milliseconds since 1970: no request is sent after this moment
 * @throws StoreError `unavailable` when that moment has passed
 */
export function startDeadline(clock: Clock, ms: number, sendUntil = Number.POSITIVE_INFINITY): Deadline {
  const msLeft = Math.min(ms, sendUntil - clock.now());
  if (msLeft <= 0)
    throw new StoreError(
      "unavailable",
      "The shop was too slow: nothing more is sent now, and the call is tried again.",
    );
  const expired = new AbortController();
  const cancelled = new AbortController();
  clock.sleep(msLeft, cancelled.signal).then(
    () => expired.abort(),
    () => undefined,
  );
  // Abort with a string: building the default AbortError is expensive.
  return { signal: expired.signal, cancel: () => cancelled.abort("cancelled") };
}
