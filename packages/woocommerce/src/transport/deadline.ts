import { type Clock, StoreError } from "@tillkit/core";

/** The end of a call's patience. */
export type Deadline = {
  /** Aborted when the time is over. */
  readonly late: AbortSignal;
  /** The call has ended: nobody waits any more. */
  met(): void;
};

/**
 * @param until milliseconds since 1970: what is not sent by then is not sent at all
 * @throws StoreError `unavailable` when it is too late to send anything
 */
export function openDeadline(clock: Clock, ms: number, until = Number.POSITIVE_INFINITY): Deadline {
  const left = Math.min(ms, until - clock.now());
  if (left <= 0)
    throw new StoreError("unavailable", "The shop was too slow: nothing more is sent, and it is told again.");
  const late = new AbortController();
  const answered = new AbortController();
  clock.sleep(left, answered.signal).then(
    () => late.abort(),
    () => undefined,
  );
  return { late: late.signal, met: () => answered.abort("answered") };
}
