import { codeOf, type ReconcileResult, reconcileStore } from "@tillkit/core";
import { resolveWithin } from "@tillkit/core/hosts";
import { undoStaleHolds } from "../adapter/stale-hold.ts";
import type { AppContext } from "../app-context.ts";
import { wooLimits } from "../limits.ts";
import { isReachable } from "../pairing/pairings.ts";

/** The daily reconciliation of WooCommerce shops, which the log and the server's methods call a sweep. */
export type DailySweep = {
  start(): void;
  sweepStore(storeId: string): Promise<ReconcileResult>;
  close(): Promise<void>;
};

/**
 * Verifies the payments of every shop's unpaid orders, once a day and soon after the start. First it undoes the stale holds of each
 * shop: holds that were applied after the owner had set the order to paid.
 */
export function createDailySweep(context: Pick<AppContext, "engine" | "shops" | "clock" | "log">): DailySweep {
  const { engine, shops, clock, log } = context;
  const closed = new AbortController();
  let running: Promise<void> | null = null;

  async function sweepStore(storeId: string): Promise<ReconcileResult> {
    const since = clock.now() - wooLimits.sweepWindowMs;
    const connection = (await shops.find(storeId))?.connection;
    if (connection) await undoStaleHolds(connection, since);
    const result = await reconcileStore(engine, storeId, since);
    log.info("woo.sweep_completed", { storeId, ...result });
    return result;
  }

  async function sweepAll(): Promise<void> {
    for (const storeId of await shops.ids()) {
      if (closed.signal.aborted) return;
      const config = (await shops.find(storeId))?.config;
      // A shop that nobody has connected yet has no order of ours, and refuses the call.
      if (config === undefined || !isReachable(config)) continue;
      await sweepStore(storeId).catch((error: unknown) =>
        log.warn("woo.sweep_failed", { storeId, code: codeOf(error) }),
      );
    }
  }

  async function runDaily(): Promise<void> {
    let isOpen = await wait(wooLimits.firstSweepDelayMs);
    while (isOpen) {
      await sweepAll();
      isOpen = await wait(wooLimits.sweepIntervalMs);
    }
  }

  /** Resolves to false if `close` is called meanwhile. */
  function wait(ms: number): Promise<boolean> {
    return clock.sleep(ms, closed.signal).then(
      () => true,
      () => false,
    );
  }

  return {
    start() {
      running ??= runDaily();
    },
    sweepStore,
    async close() {
      closed.abort();
      if (running) await resolveWithin(clock, wooLimits.closeMs, running);
    },
  };
}
