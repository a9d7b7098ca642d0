import { codeOf, type Engine, reconcileStore } from "@tillkit/core";
import type { ScheduledTask } from "@tillkit/runtime";
import { serverLimits } from "../limits.ts";

/**
 * Confirms the payments of all unsettled orders once a day, in every store whose adapter has `listUnsettled`. A fault that made
 * any system lose a payment is then corrected within a day.
 */
export function createReconcileTask(engine: Engine, storeIds: () => Promise<readonly string[]>): ScheduledTask {
  return {
    name: "reconcile",
    firstDelayMs: serverLimits.firstReconcileDelayMs,
    intervalMs: serverLimits.dayMs,
    async run() {
      for (const storeId of await storeIds()) await reconcileAndLog(engine, storeId);
    },
  };
}

// A store that fails does not stop the reconciliation of the other stores.
async function reconcileAndLog(engine: Engine, storeId: string): Promise<void> {
  const { clock, log } = engine;
  try {
    const store = await engine.store(storeId);
    if (store.listUnsettled === undefined) return;
    const result = await reconcileStore(engine, storeId, clock.now() - serverLimits.reconcileLookBackMs);
    log.info("store.reconciled", { storeId, ...result });
  } catch (error) {
    log.warn("store.reconcile_failed", { storeId, code: codeOf(error) });
  }
}
