import type { Clock } from "@tillkit/core";

/** Time that runs like the machine's and can be moved forward: leases and waits of minutes pass without anybody waiting. */
export type WorldClock = Clock & {
  /** Wakes the sleepers on the way in order of time; what each does next runs before the following one wakes. */
  jump(ms: number): Promise<void>;
  /** As when a machine was asleep: everybody who is due by then wakes at the end. */
  leap(ms: number): void;
  /** When the next sleeper wakes, null while nobody sleeps. */
  nextWakeAt(): number | null;
  /** How far it is ahead of the machine's. Milliseconds. */
  offsetMs(): number;
};

type Sleeper = { readonly wakesAt: number; readonly wake: () => void };

export function createWorldClock(startOffsetMs = 0): WorldClock {
  let offset = startOffsetMs;
  const sleepers = new Set<Sleeper>();
  const now = () => Date.now() + offset;

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper: Sleeper = { wakesAt: now() + ms, wake: () => end(resolve) };
      const timer = setTimeout(sleeper.wake, ms);
      const leave = () => end(() => reject(signal?.reason));
      function end(tell: () => void): void {
        clearTimeout(timer);
        sleepers.delete(sleeper);
        signal?.removeEventListener("abort", leave);
        tell();
      }
      signal?.addEventListener("abort", leave, { once: true });
      sleepers.add(sleeper);
    });
  }

  async function jump(ms: number): Promise<void> {
    const end = now() + ms;
    for (let next = earliest(sleepers); next !== null && next.wakesAt <= end; next = earliest(sleepers)) {
      offset += Math.max(0, next.wakesAt - now());
      next.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    offset += Math.max(0, end - now());
  }

  function leap(ms: number): void {
    offset += ms;
    const due = [...sleepers].filter(({ wakesAt }) => wakesAt <= now());
    for (const { wake } of due.sort((left, right) => left.wakesAt - right.wakesAt)) wake();
  }

  return { now, sleep, jump, leap, nextWakeAt: () => earliest(sleepers)?.wakesAt ?? null, offsetMs: () => offset };
}

function earliest(sleepers: ReadonlySet<Sleeper>): Sleeper | null {
  let first: Sleeper | null = null;
  for (const sleeper of sleepers) if (first === null || sleeper.wakesAt < first.wakesAt) first = sleeper;
  return first;
}
