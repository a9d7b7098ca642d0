import { codeOf, type ReconcileResult, reconcileStore, resolveWithin } from "@tillkit/core";
import { restoreLateHolds } from "../adapter/late-hold.ts";
import { wooLimits } from "../limits.ts";
import type { Desk } from "./desk.ts";

export type Sweep = {
  start(): void;
  once(storeId: string): Promise<ReconcileResult>;
  close(): Promise<void>;
};

/** How long a closing companion waits for the sweep under way; the next one goes over the same orders. */
const CLOSE_MS = 10_000;

/** Once a day, and soon after a start: the payments of every shop's unsettled orders are read anew. */
export function createSweep(desk: Pick<Desk, "engine" | "stores" | "clock" | "log">): Sweep {
  const { engine, stores, clock, log } = desk;
  const closed = new AbortController();
  let running: Promise<void> | null = null;

  async function once(storeId: string): Promise<ReconcileResult> {
    const since = clock.now() - wooLimits.sweepBackMs;
    const shop = stores.get(storeId)?.shop;
    if (shop) await restoreLateHolds(shop, since);
    const swept = await reconcileStore(engine, storeId, since);
    log.info("woo.swept", { storeId, ...swept });
    return swept;
  }

  async function all(): Promise<void> {
    for (const storeId of stores.keys()) {
      if (closed.signal.aborted) return;
      await once(storeId).catch((error: unknown) => log.warn("woo.sweep_failed", { storeId, code: codeOf(error) }));
    }
  }

  async function repeat(): Promise<void> {
    for (let waitMs: number = wooLimits.firstSweepMs; await pause(waitMs); waitMs = wooLimits.sweepEveryMs) await all();
  }

  function pause(ms: number): Promise<boolean> {
    return clock.sleep(ms, closed.signal).then(
      () => true,
      () => false,
    );
  }

  return {
    start() {
      running ??= repeat();
    },
    once,
    async close() {
      closed.abort();
      if (running) await resolveWithin(clock, CLOSE_MS, running);
    },
  };
}
