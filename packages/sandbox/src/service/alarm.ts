import { limits } from "../limits.ts";

/** Runs work when it falls due by the sandbox's clock, never twice at once. */
export type Alarm = {
  /** Something falls due at this time. */
  expect(at: number): void;
  /** Resolves when everything that is due by now was done. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};

/** `run` does what is due and answers when the next thing falls due (Infinity: nothing waits). */
export function createAlarm(now: () => number, run: () => Promise<number>): Alarm {
  let next = Number.POSITIVE_INFINITY;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function expect(at: number): void {
    if (at >= next || closed) return;
    next = at;
    arm();
  }

  function arm(): void {
    clearTimeout(timer);
    if (closed || next === Number.POSITIVE_INFINITY) return;
    // Never asleep for long: the clock below may be moved by somebody else's hand.
    timer = setTimeout(ring, Math.min(Math.max(next - now(), 0), limits.timerMs));
    timer.unref();
  }

  function ring(): void {
    catchUp().then(arm, retryLater);
  }

  function retryLater(error: Error): void {
    if (closed) return;
    process.emitWarning(error);
    next = Math.min(next, now() + 1000);
    arm();
  }

  async function catchUp(): Promise<void> {
    // A round under way forgot its time when it began: whoever asks meanwhile waits for it too.
    while ((running !== null || next <= now()) && !closed) {
      running ??= round().finally(() => {
        running = null;
      });
      await running;
    }
  }

  async function round(): Promise<void> {
    // Forgotten before the work starts: what is announced meanwhile must not be lost.
    next = Number.POSITIVE_INFINITY;
    expect(await run());
  }

  return {
    expect,
    catchUp,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running?.catch(() => {});
    },
  };
}
