import { redactedCause } from "../errors/redact.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Clock } from "../system/clock.ts";
import { MAX_TIMER_MS } from "../system/limits.ts";

/** Ends a call when its time is over or its caller aborts it. */
export type Deadline = {
  /** Whether the time is over or the caller aborted the call. */
  readonly isOver: boolean;
  /** Aborts when the deadline is over. Created when it is first read, because a signal costs more than the rest of a deadline. */
  readonly signal: AbortSignal;
  /** Calls `run` when the deadline is over; at once when it is over already. The returned function cancels this. */
  onAbort(run: () => void): () => void;
  remainingMs(): number;
  sleep(ms: number): Promise<void>;
  /** The error of a call whose deadline is over, with the error of its last attempt as the cause; null before the deadline. */
  failure(lastError: ServiceError | null): ServiceError | null;
  /** Stops the timer and no longer listens to the caller's signal. */
  release(): void;
};

export function startDeadline(clock: Clock, deadlineMs: number, caller: AbortSignal | undefined): Deadline {
  return new CallDeadline(clock, deadlineMs, caller);
}

/** A class, because every call makes a deadline: an object literal would create a function for each of its methods. */
class CallDeadline implements Deadline {
  isOver = false;
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #endsAt: number;
  readonly #caller: AbortSignal | undefined;
  readonly #stopTimer: () => void;
  readonly #end = () => this.#finish();
  readonly #listeners: (() => void)[] = [];
  #controller: AbortController | null = null;

  constructor(clock: Clock, ms: number, caller: AbortSignal | undefined) {
    this.#clock = clock;
    this.#ms = ms;
    this.#caller = caller;
    this.#endsAt = clock.now() + ms;
    // NaN is no time either.
    const hasTime = ms > 0;
    if (caller?.aborted || !hasTime) this.#end();
    caller?.addEventListener("abort", this.#end, { once: true });
    this.#stopTimer = startTimer(clock, Math.min(ms, MAX_TIMER_MS), this.#end);
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.isOver) this.#controller.abort(this.#caller?.reason);
    }
    return this.#controller.signal;
  }

  onAbort(run: () => void): () => void {
    if (this.isOver) run();
    else this.#listeners.push(run);
    return () => {
      const index = this.#listeners.indexOf(run);
      if (index !== -1) this.#listeners.splice(index, 1);
    };
  }

  remainingMs(): number {
    return this.#endsAt - this.#clock.now();
  }

  sleep(ms: number): Promise<void> {
    return this.#clock.sleep(ms, this.signal);
  }

  failure(lastError: ServiceError | null): ServiceError | null {
    if (!this.isOver) return null;
    if (this.#caller?.aborted)
      return new ServiceError("aborted", "The caller aborted the call.", { cause: redactedCause(this.#caller.reason) });
    const fields = { cause: lastError ?? undefined, status: lastError?.status, requestId: lastError?.requestId };
    return new ServiceError("deadline_exceeded", `The service did not respond within ${this.#ms} ms.`, fields);
  }

  release(): void {
    this.#stopTimer();
    this.#caller?.removeEventListener("abort", this.#end);
  }

  #finish() {
    if (this.isOver) return;
    this.isOver = true;
    this.#controller?.abort(this.#caller?.reason);
    for (const listener of [...this.#listeners]) listener();
  }
}

function startTimer(clock: Clock, ms: number, run: () => void): () => void {
  if (clock.setTimer !== undefined) return clock.setTimer(ms, run);
  const timerAbort = new AbortController();
  clock.sleep(ms, timerAbort.signal).then(run, () => undefined);
  // Abort with a string: building the default AbortError captures a stack, which is expensive.
  return () => timerAbort.abort("the call is over");
}
