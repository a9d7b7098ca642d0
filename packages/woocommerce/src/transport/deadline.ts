import type { Clock } from "@tillkit/core";

/** The end of a call's patience. */
export type Deadline = {
  /** Aborted when the time is over. */
  readonly late: AbortSignal;
  /** The call has ended: nobody waits any more. */
  met(): void;
};

export function openDeadline(clock: Clock, ms: number): Deadline {
  const late = new AbortController();
  const answered = new AbortController();
  clock.sleep(ms, answered.signal).then(
    () => late.abort(),
    () => undefined,
  );
  return { late: late.signal, met: () => answered.abort("answered") };
}
