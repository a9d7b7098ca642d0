import type { Clock } from "@tillkit/core";

/** A clock that stands still until a test moves it. */
export type ManualClock = Clock & {
  /**
   * Moves time by `ms` and wakes the sleepers on the way, in order of time and, at the same time, in the order in which
   * they lay down; what each of them does next runs before the following one wakes. `advance(0)` lets everything run
   * that waits for no time.
   */
  advance(ms: number): Promise<void>;
  /** When the next sleeper wakes, null while nobody sleeps. */
  nextWakeAt(): number | null;
};

/** @param start milliseconds since 1970 */
export function createManualClock(start: number = Date.UTC(2026, 0, 5, 9)): ManualClock {
  let time = start;
  const sleepers: Sleeper[] = [];

  async function advance(ms: number): Promise<void> {
    const end = time + ms;
    await runEverything();
    for (let next = sleepers[0]; next !== undefined && next.wakesAt <= end; next = sleepers[0]) {
      sleepers.shift();
      time = next.wakesAt;
      next.wake();
      await runEverything();
    }
    time = Math.max(time, end);
  }

  return {
    now: () => time,
    // Whole milliseconds, as real clocks tell: a wait by chance has a fraction.
    sleep: (ms, signal) => (ms > 0 ? layDown(sleepers, Math.ceil(time + ms), signal) : passAtOnce(signal)),
    advance,
    nextWakeAt: () => sleepers[0]?.wakesAt ?? null,
  };
}

type Sleeper = { readonly wakesAt: number; readonly wake: () => void };

function layDown(sleepers: Sleeper[], wakesAt: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const sleeper: Sleeper = {
      wakesAt,
      wake: () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      },
    };
    const onAbort = () => {
      sleepers.splice(sleepers.indexOf(sleeper), 1);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    const later = sleepers.findLastIndex((other) => other.wakesAt <= wakesAt);
    sleepers.splice(later + 1, 0, sleeper);
  });
}

async function passAtOnce(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
}

// Node runs every microtask, however deeply nested, before the next immediate.
function runEverything(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
