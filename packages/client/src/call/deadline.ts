import { redactedCause } from "../errors/redact.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Clock } from "../system/clock.ts";
import { MAX_TIMER_MS } from "../system/limits.ts";

/** Ends a call when its time is over or its caller aborts it. */
export type Deadline = {
  /** Aborts when the call ends. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  sleep(ms: number): Promise<void>;
  /** The error of an ended call, with the error of the last attempt as its cause; null while the call runs. */
  failure(lastError: ServiceError | null): ServiceError | null;
  /** Stops the timer and no longer listens to the caller's signal. */
  release(): void;
};

export function startDeadline(clock: Clock, deadlineMs: number, caller: AbortSignal | undefined): Deadline {
  const endsAt = clock.now() + deadlineMs;
  const end = new AbortController();
  const timer = new AbortController();
  const abort = () => end.abort(caller?.reason);
  if (caller?.aborted || !(deadlineMs > 0)) abort();
  caller?.addEventListener("abort", abort, { once: true });
  clock.sleep(Math.min(deadlineMs, MAX_TIMER_MS), timer.signal).then(
    () => end.abort(),
    () => undefined,
  );

  return {
    signal: end.signal,
    remainingMs: () => endsAt - clock.now(),
    sleep: (ms) => clock.sleep(ms, end.signal),
    failure(lastError) {
      if (!end.signal.aborted) return null;
      if (caller?.aborted)
        return new ServiceError("aborted", "The caller aborted the call.", { cause: redactedCause(caller.reason) });
      const fields = { cause: lastError ?? undefined, status: lastError?.status, requestId: lastError?.requestId };
      return new ServiceError("deadline_exceeded", `The service did not respond within ${deadlineMs} ms.`, fields);
    },
    release() {
      // Abort with a string: building the default AbortError captures a stack, which is expensive.
      timer.abort("the call is over");
      caller?.removeEventListener("abort", abort);
    },
  };
}
