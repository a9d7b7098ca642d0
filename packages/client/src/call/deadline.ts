import { redactedCause } from "../errors/redact.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Clock } from "../system/clock.ts";
import { MAX_TIMER_MS } from "../system/limits.ts";

/** Ends a call when its time is over or its caller aborts it. */
export type Deadline = {
  /** Aborts at the deadline, and when the caller aborts the call. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  sleep(ms: number): Promise<void>;
  /** The error of a call whose `signal` is aborted, with the error of its last attempt as the cause; null before the abort. */
  failure(lastError: ServiceError | null): ServiceError | null;
  /** Stops the timer and no longer listens to the caller's signal. */
  release(): void;
};

export function startDeadline(clock: Clock, deadlineMs: number, caller: AbortSignal | undefined): Deadline {
  const endsAt = clock.now() + deadlineMs;
  const callAbort = new AbortController();
  const timerAbort = new AbortController();
  const abort = () => callAbort.abort(caller?.reason);
  if (caller?.aborted || !(deadlineMs > 0)) abort();
  caller?.addEventListener("abort", abort, { once: true });
  clock.sleep(Math.min(deadlineMs, MAX_TIMER_MS), timerAbort.signal).then(
    () => callAbort.abort(),
    () => undefined,
  );

  return {
    signal: callAbort.signal,
    remainingMs: () => endsAt - clock.now(),
    sleep: (ms) => clock.sleep(ms, callAbort.signal),
    failure(lastError) {
      if (!callAbort.signal.aborted) return null;
      if (caller?.aborted)
        return new ServiceError("aborted", "The caller aborted the call.", { cause: redactedCause(caller.reason) });
      const fields = { cause: lastError ?? undefined, status: lastError?.status, requestId: lastError?.requestId };
      return new ServiceError("deadline_exceeded", `The service did not respond within ${deadlineMs} ms.`, fields);
    },
    release() {
      // Abort with a string: building the default AbortError captures a stack, which is expensive.
      timerAbort.abort("the call is over");
      caller?.removeEventListener("abort", abort);
    },
  };
}
