import type { Clock } from "@tillkit/core";

/** A clock that runs in real time and can be moved forward, so that leases and waits of minutes pass at once. */
export type MovableClock = Clock & {
  /** Advances the clock and wakes the sleepers in order of time. What one sleeper triggers runs before the next wakes. */
  advance(ms: number): Promise<void>;
  /** Moves the clock as after a suspend: all sleepers that are due wake at the new time. */
  jump(ms: number): void;
  /** When the next sleeper wakes, or null if nothing sleeps. */
  nextWakeAt(): number | null;
  /** How far this clock is ahead of the machine's clock, in milliseconds. */
  offsetMs(): number;
};

type Sleeper = { readonly wakesAt: number; readonly wake: () => void };

export function createMovableClock(startOffsetMs = 0): MovableClock {
  let offset = startOffsetMs;
  const sleepers = new Set<Sleeper>();
  const now = () => Date.now() + offset;

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper: Sleeper = { wakesAt: now() + ms, wake: () => end(resolve) };
      const timer = setTimeout(sleeper.wake, ms);
      const onAbort = () => end(() => reject(signal?.reason));
      function end(settle: () => void): void {
        clearTimeout(timer);
        sleepers.delete(sleeper);
        signal?.removeEventListener("abort", onAbort);
        settle();
      }
      signal?.addEventListener("abort", onAbort, { once: true });
      sleepers.add(sleeper);
    });
  }

  async function advance(ms: number): Promise<void> {
    const end = now() + ms;
    for (let next = earliest(sleepers); next !== null && next.wakesAt <= end; next = earliest(sleepers)) {
      offset += Math.max(0, next.wakesAt - now());
      next.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    offset += Math.max(0, end - now());
  }

  function jump(ms: number): void {
    offset += ms;
    const due = [...sleepers].filter(({ wakesAt }) => wakesAt <= now());
    for (const { wake } of due.sort((left, right) => left.wakesAt - right.wakesAt)) wake();
  }

  return {
    now,
    sleep,
    advance,
    jump,
    nextWakeAt: () => earliest(sleepers)?.wakesAt ?? null,
    offsetMs: () => offset,
  };
}

function earliest(sleepers: ReadonlySet<Sleeper>): Sleeper | null {
  let first: Sleeper | null = null;
  for (const sleeper of sleepers) if (first === null || sleeper.wakesAt < first.wakesAt) first = sleeper;
  return first;
}
