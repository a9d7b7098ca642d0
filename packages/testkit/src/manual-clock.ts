import type { Clock } from "@tillkit/core";

/** A clock that stands still until a test advances it. */
export type ManualClock = Clock & {
  /**
   * Advances the clock by `ms` and wakes the sleepers that are due, ordered by time and then by when they started to sleep. All
   * work that one sleeper triggers runs before the next sleeper wakes. `advance(0)` runs all work that is not asleep.
   */
  advance(ms: number): Promise<void>;
  /** When the next sleeper wakes, or null if nothing sleeps. */
  nextWakeAt(): number | null;
};

/** @param start milliseconds since 1970 */
export function createManualClock(start: number = Date.UTC(2026, 0, 5, 9)): ManualClock {
  let time = start;
  const sleepers: Sleeper[] = [];

  async function advance(ms: number): Promise<void> {
    const end = time + ms;
    await runPendingWork();
    for (let next = sleepers[0]; next !== undefined && next.wakesAt <= end; next = sleepers[0]) {
      sleepers.shift();
      time = next.wakesAt;
      next.wake();
      await runPendingWork();
    }
    time = Math.max(time, end);
  }

  return {
    now: () => time,
    // Real clocks return whole milliseconds, but a random wait can have a fraction.
    sleep: (ms, signal) => (ms > 0 ? addSleeper(sleepers, Math.ceil(time + ms), signal) : sleepZero(signal)),
    advance,
    nextWakeAt: () => sleepers[0]?.wakesAt ?? null,
  };
}

type Sleeper = { readonly wakesAt: number; readonly wake: () => void };

function addSleeper(sleepers: Sleeper[], wakesAt: number, signal: AbortSignal | undefined): Promise<void> {
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
    const previous = sleepers.findLastIndex((other) => other.wakesAt <= wakesAt);
    sleepers.splice(previous + 1, 0, sleeper);
  });
}

async function sleepZero(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
}

// Node runs every microtask, however deeply nested, before the next immediate.
function runPendingWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
