import type { Clock } from "@tillkit/core";
import { hostLimits } from "../limits.ts";

export type Reception = {
  /** Takes a delivery in. */
  during<Value>(take: () => Promise<Value>): Promise<Value>;
  /** Resolves in a later turn of the event loop, when no delivery is being taken in or `workWaitsMs` are over. */
  quiet(): Promise<void>;
};

/** Deliveries go first: the service waits seconds for its answer, the work behind it may take minutes. */
export function createReception(clock: Clock): Reception {
  let underWay = 0;
  let becomesQuiet: AbortController | null = null;

  return {
    async during(take) {
      underWay += 1;
      try {
        return await take();
      } finally {
        underWay -= 1;
        if (underWay === 0) becomesQuiet?.abort();
      }
    },
    async quiet() {
      await new Promise((resolve) => setImmediate(resolve));
      if (underWay === 0) return;
      becomesQuiet = new AbortController();
      await clock.sleep(hostLimits.workWaitsMs, becomesQuiet.signal).catch(() => undefined);
      becomesQuiet = null;
    },
  };
}
