import { performance } from "node:perf_hooks";
import type { Clock, LedgerView } from "@tillkit/core";
import { hostLimits } from "../limits.ts";

export type LedgerCounts = {
  readonly payments: Awaited<ReturnType<LedgerView["countPayments"]>>;
  readonly jobs: Awaited<ReturnType<LedgerView["countJobs"]>>;
  readonly deliveries: Awaited<ReturnType<LedgerView["countDeliveries"]>>;
  readonly disputes: Awaited<ReturnType<LedgerView["countDisputes"]>>;
};

export type CountLedger = () => Promise<LedgerCounts>;

/**
 * Counts anew each time, as long as that is quick. In a ledger of millions it is not, and an embedded database does nothing
 * else meanwhile: then the numbers are used again until counting is one part in a hundred of the time.
 */
export function createLedgerCounts(ledger: LedgerView, clock: Clock): CountLedger {
  let kept: { readonly counts: LedgerCounts; readonly until: number } | null = null;

  return async function countLedger() {
    if (kept && clock.now() < kept.until) return kept.counts;
    const startedAt = performance.now();
    const [payments, jobs, deliveries, disputes] = await Promise.all([
      ledger.countPayments(),
      ledger.countJobs(clock.now()),
      ledger.countDeliveries(),
      ledger.countDisputes(),
    ]);
    const counts = { payments, jobs, deliveries, disputes };
    const tookMs = performance.now() - startedAt;
    kept = tookMs < hostLimits.quickCountMs ? null : { counts, until: clock.now() + tookMs * 100 };
    return counts;
  };
}
