import type { SendBy } from "@tillkit/client";
import { type Clock, StoreError } from "@tillkit/core";

/** The time limit of one request. */
export type Deadline = {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** Stops the timer: the request has ended. */
  cancel(): void;
};

/**
 * @param sendBy no request is sent after this moment
 * @throws StoreError `unavailable` when that moment has passed
 */
export function startDeadline(clock: Clock, ms: number, sendBy?: SendBy): Deadline {
  if (sendBy?.isOver()) throw new StoreError("unavailable", NOT_SENT);
  const msLeft = Math.min(ms, (sendBy?.at ?? Number.POSITIVE_INFINITY) - clock.now());
  const expired = new AbortController();
  const cancelled = new AbortController();
  clock.sleep(msLeft, cancelled.signal).then(
    () => expired.abort(),
    () => undefined,
  );
  // Abort with a string: building the default AbortError is expensive.
  return { signal: expired.signal, cancel: () => cancelled.abort("cancelled") };
}

export const NOT_SENT = "The shop was too slow: nothing more is sent now, and the call is tried again.";
