import { codeOf, type ReconcileResult, reconcileStore } from "@tillkit/core";
import { resolveWithin } from "@tillkit/core/hosts";
import type { AppContext } from "../app-context.ts";
import { isLinked } from "../pairing/pairings.ts";
import { serverLimits } from "../server-limits.ts";

/** The daily reconciliation of the shops, which the log and the server's methods call a sweep. */
export type DailySweep = {
  start(): void;
  sweepStore(storeId: string): Promise<ReconcileResult>;
  close(): Promise<void>;
};

/** When a process last began to sweep a shop. */
const SWEPT_KEY = "began";

/**
 * Verifies the payments of every shop's unpaid orders, once a day and soon after the start; of several processes that started together, one
 * sweeps a shop. First it undoes the stale holds of each
 * shop: holds that were applied after the owner had set the order to paid.
 */
export function createDailySweep(
  context: Pick<AppContext, "platform" | "engine" | "ledger" | "shops" | "clock" | "log">,
): DailySweep {
  const { platform, engine, ledger, shops, clock, log } = context;
  const closed = new AbortController();
  let running: Promise<void> | null = null;

  async function sweepStore(storeId: string): Promise<ReconcileResult> {
    const since = clock.now() - serverLimits.sweepWindowMs;
    const connection = (await shops.find(storeId))?.connection;
    await connection?.prepareSweep?.(since);
    const result = await reconcileStore(engine, storeId, since);
    await connection?.finishSweep?.(since);
    log.info("sweep_completed", { storeId, ...result });
    return result;
  }

  /** False where another process has just swept the shop, or begins at the same time. */
  async function claim(storeId: string): Promise<boolean> {
    const kind = `${platform.prefix}-sweep`;
    const now = clock.now();
    const row = await ledger.records.get(storeId, kind, SWEPT_KEY);
    const last = (row?.value as { readonly at: number } | undefined)?.at ?? Number.NEGATIVE_INFINITY;
    if (now >= last && now - last < serverLimits.sweptForMs) return false;
    return (await ledger.records.put(storeId, kind, SWEPT_KEY, { at: now }, row?.version ?? "new")) === "done";
  }

  async function sweepOnce(storeId: string): Promise<void> {
    if (await claim(storeId)) await sweepStore(storeId);
  }

  async function sweepAll(): Promise<void> {
    for (const storeId of await shops.ids()) {
      if (closed.signal.aborted) return;
      const config = (await shops.find(storeId))?.config;
      // A shop that nobody has connected yet has no order of ours, and refuses the call.
      if (config === undefined || !(isLinked(config) || platform.hasOwnKey(config))) continue;
      await sweepOnce(storeId).catch((error: unknown) => log.warn("sweep_failed", { storeId, code: codeOf(error) }));
    }
  }

  async function runDaily(): Promise<void> {
    let isOpen = await wait(serverLimits.firstSweepDelayMs);
    while (isOpen) {
      await sweepAll();
      isOpen = await wait(serverLimits.sweepIntervalMs);
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
      if (running) await resolveWithin(clock, serverLimits.closeMs, running);
    },
  };
}
