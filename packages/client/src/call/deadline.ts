import { redactedCause } from "../errors/redact.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Clock } from "../system/clock.ts";
import { MAX_TIMER_MS } from "../system/limits.ts";

/** The end of a call: its time is over or its caller gave up, whichever comes first. */
export type Deadline = {
  /** Aborted at the end. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  sleep(ms: number): Promise<void>;
  /** The error of an ended call; null while it still runs. */
  failure(last: ServiceError | null): ServiceError | null;
  /** Lets go of timer and caller's signal. */
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
    failure(last) {
      if (!end.signal.aborted) return null;
      if (caller?.aborted)
        return new ServiceError("aborted", "The caller ended the call.", { cause: redactedCause(caller.reason) });
      const facts = { cause: last ?? undefined, status: last?.status, requestId: last?.requestId };
      return new ServiceError("deadline_exceeded", `The service did not answer within ${deadlineMs} ms.`, facts);
    },
    release() {
      timer.abort("the call is over"); // a reason of its own: the usual one captures a stack
      caller?.removeEventListener("abort", abort);
    },
  };
}
