import { limits } from "../domain/limits.ts";

/** Runs work when it falls due by the sandbox's clock, never twice at once. */
export type Scheduler = {
  /** Something falls due at this time. */
  scheduleAt(at: number): void;
  /** Resolves when everything that is due by now was done. */
  runDue(): Promise<void>;
  close(): Promise<void>;
};

/** `run` does what is due and answers when the next thing falls due (Infinity: nothing waits). */
export function createScheduler(now: () => number, run: () => Promise<number>): Scheduler {
  let next = Number.POSITIVE_INFINITY;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function expect(at: number): void {
    if (at >= next || closed) return;
    next = at;
    setTimer();
  }

  function setTimer(): void {
    clearTimeout(timer);
    if (closed || next === Number.POSITIVE_INFINITY) return;
    // Never asleep for long: the clock below may be moved by somebody else's hand.
    timer = setTimeout(onTimer, Math.min(Math.max(next - now(), 0), limits.timerMs));
    timer.unref();
  }

  function onTimer(): void {
    catchUp().then(setTimer, retryLater);
  }

  function retryLater(error: Error): void {
    if (closed) return;
    process.emitWarning(error);
    next = Math.min(next, now() + 1000);
    setTimer();
  }

  async function catchUp(): Promise<void> {
    // A round under way forgot its time when it began: whoever asks meanwhile waits for it too.
    while ((running !== null || next <= now()) && !closed) {
      running ??= runOnce().finally(() => {
        running = null;
      });
      await running;
    }
  }

  async function runOnce(): Promise<void> {
    // Forgotten before the work starts: what is announced meanwhile must not be lost.
    next = Number.POSITIVE_INFINITY;
    expect(await run());
  }

  return {
    scheduleAt: expect,
    runDue: catchUp,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running?.catch(() => {});
    },
  };
}
