import { limits } from "../domain/limits.ts";

/** Runs work at its due time on the clock of the sandbox, one run at a time. */
export type Scheduler = {
  /** Schedules a run for this time. */
  scheduleAt(at: number): void;
  /** Runs all due work and resolves when it is done. */
  runDue(): Promise<void>;
  close(): Promise<void>;
};

/** `run` does the due work and returns the next due time. Infinity means that no work is scheduled. */
export function createScheduler(now: () => number, run: () => Promise<number>): Scheduler {
  let next = Number.POSITIVE_INFINITY;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function scheduleAt(at: number): void {
    if (at >= next || closed) return;
    next = at;
    setTimer();
  }

  function setTimer(): void {
    clearTimeout(timer);
    if (closed || next === Number.POSITIVE_INFINITY) return;
    // The timer wakes at least once a minute, because the program that passed the base clock can move it at any time.
    timer = setTimeout(onTimer, Math.min(Math.max(next - now(), 0), limits.timerMs));
    timer.unref();
  }

  function onTimer(): void {
    runDue().then(setTimer, retryLater);
  }

  function retryLater(error: Error): void {
    if (closed) return;
    process.emitWarning(error);
    next = Math.min(next, now() + 1000);
    setTimer();
  }

  async function runDue(): Promise<void> {
    // A run in progress has already reset `next`, so callers wait for that run, too.
    while ((running !== null || next <= now()) && !closed) {
      running ??= runOnce().finally(() => {
        running = null;
      });
      await running;
    }
  }

  async function runOnce(): Promise<void> {
    // Reset before the run, so that times scheduled during the run are not lost.
    next = Number.POSITIVE_INFINITY;
    scheduleAt(await run());
  }

  return {
    scheduleAt,
    runDue,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running?.catch(() => {});
    },
  };
}
