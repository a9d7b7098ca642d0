import { performance } from "node:perf_hooks";
import type { Clock, Environment } from "@tillkit/core";
import type { LedgerView } from "@tillkit/core/ledger";
import { serverLimits } from "../limits.ts";

export type LedgerCounts = {
  readonly payments: Awaited<ReturnType<LedgerView["countPayments"]>>;
  readonly jobs: Awaited<ReturnType<LedgerView["countJobs"]>>;
  readonly deliveries: Awaited<ReturnType<LedgerView["countDeliveries"]>>;
  readonly disputes: Awaited<ReturnType<LedgerView["countDisputes"]>>;
};

export type CountLedger = () => Promise<LedgerCounts>;

type CountOptions = {
  readonly atMost?: number;
  readonly environment?: Environment;
  readonly timer?: () => number;
};

/**
 * Counts the ledger's rows on each call while counting is quick. Counting millions of rows is slow and blocks an embedded
 * database, so slow counts are cached for a hundred times as long as the counting took.
 *
 * @param options `atMost`: counts payments of a state and webhooks of an outcome up to this number only;
 * `environment`: counts its payments and disputes only; `timer`: the milliseconds with
 * which the counting is measured
 */
export function createLedgerCounts(
  ledger: LedgerView,
  clock: Clock,
  { timer = () => performance.now(), environment, ...options }: CountOptions = {},
): CountLedger {
  const ofEnvironment = environment === undefined ? {} : { environment };
  let cached: { readonly counts: LedgerCounts; readonly at: number; readonly until: number } | null = null;

  return async function countLedger() {
    const now = clock.now();
    // A cache from the future was filled before the clock was set back.
    if (cached && now >= cached.at && now < cached.until) return cached.counts;
    const startedAt = timer();
    const [payments, jobs, deliveries, disputes] = await Promise.all([
      ledger.countPayments({ ...options, ...ofEnvironment }),
      ledger.countJobs(now),
      ledger.countDeliveries(options),
      ledger.countDisputes(ofEnvironment),
    ]);
    const counts = { payments, jobs, deliveries, disputes };
    const durationMs = timer() - startedAt;
    cached = durationMs < serverLimits.quickCountMs ? null : { counts, at: now, until: clock.now() + durationMs * 100 };
    return counts;
  };
}
