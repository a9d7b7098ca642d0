import type { Clock } from "@tillkit/client";

export type ManualClock = Clock & { advance(ms: number): Promise<void> };

/** A clock that stands still until `advance`, which wakes the sleepers in the order of their times. */
export function createManualClock(): ManualClock {
  let time = Date.UTC(2026, 0, 5, 9);
  const sleepers = new Set<{ wakesAt: number; wake: () => void }>();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { wakesAt: time + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (;;) {
        const [next] = [...sleepers].filter(({ wakesAt }) => wakesAt <= end).sort((a, b) => a.wakesAt - b.wakesAt);
        if (next === undefined) break;
        sleepers.delete(next);
        time = Math.max(time, next.wakesAt);
        next.wake();
        await settle();
      }
      time = end;
    },
  };
}
