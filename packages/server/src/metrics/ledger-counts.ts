import type { LedgerView } from "@tillkit/core";

export type LedgerCounts = {
  readonly payments: Awaited<ReturnType<LedgerView["countPayments"]>>;
  readonly jobs: Awaited<ReturnType<LedgerView["countJobs"]>>;
  readonly deliveries: Awaited<ReturnType<LedgerView["countDeliveries"]>>;
};

export async function countLedger(ledger: LedgerView, now: number): Promise<LedgerCounts> {
  const [payments, jobs, deliveries] = await Promise.all([
    ledger.countPayments(),
    ledger.countJobs(now),
    ledger.countDeliveries(),
  ]);
  return { payments, jobs, deliveries };
}
