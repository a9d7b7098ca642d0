import type { Clock } from "@tillkit/client";

export type SkippingClock = Clock & {
  /** The waits between attempts, in milliseconds. */
  readonly waits: readonly number[];
  /** Ends all deadlines. */
  expire(): void;
};

/** A clock that skips and records waits between attempts. A wait of ten seconds or more is a deadline, which lasts until `expire`. */
export function createSkippingClock(): SkippingClock {
  const waits: number[] = [];
  const deadlines = new Set<() => void>();
  let time = Date.UTC(2026, 0, 5, 9);
  return {
    waits,
    now: () => time,
    async sleep(ms, signal) {
      if (ms < 10_000) {
        waits.push(ms);
        time += ms;
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const end = () => {
          time += ms;
          resolve();
        };
        deadlines.add(end);
        signal?.addEventListener("abort", () => {
          deadlines.delete(end);
          reject(signal.reason);
        });
      });
    },
    expire() {
      for (const end of deadlines) end();
    },
  };
}
