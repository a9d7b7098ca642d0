import type { Change } from "../ports/payment-ledger.ts";
import type { MemoryDeliveries } from "./deliveries.ts";
import type { MemoryDisputes } from "./disputes.ts";
import type { MemoryJobs } from "./jobs.ts";
import type { MemoryOrderLocks } from "./order-locks.ts";
import type { MemoryPayments } from "./payments.ts";
import type { MemoryRefunds } from "./refunds.ts";
import type { MemoryTimeline } from "./timeline.ts";
import type { MemoryTransactionDetails } from "./transaction-details.ts";
import type { MemoryTransactions } from "./transactions.ts";

type Parts = {
  readonly payments: MemoryPayments;
  readonly transactions: MemoryTransactions;
  readonly details: MemoryTransactionDetails;
  readonly refunds: MemoryRefunds;
  readonly disputes: MemoryDisputes;
  readonly jobs: MemoryJobs;
  readonly deliveries: MemoryDeliveries;
  readonly locks: MemoryOrderLocks;
  readonly timeline: MemoryTimeline;
};

/** The only writer of payments. Every check comes before the first change, so that the whole change is applied, or nothing of it. */
export function commitChange(parts: Parts, change: Change): "done" | "stale" | "taken" {
  const rejection = rejectionOf(parts, change);
  if (rejection !== null) return rejection;
  apply(parts, change);
  return "done";
}

function rejectionOf({ payments, refunds, disputes, locks }: Parts, change: Change): "stale" | "taken" | null {
  const { fence, payment, jobs = [], retried = [] } = change;
  for (const { dueAt } of [...jobs, ...retried]) assertWholeMs(dueAt);
  if (fence && !locks.isNewest(fence.ref, fence.value)) return "stale";
  const rejection = payment ? payments.rejection(payment) : null;
  if (rejection !== null) return rejection;
  return refunds.accepts(change.refunds ?? []) && disputes.accepts(change.disputes ?? []) ? null : "taken";
}

function apply(parts: Parts, change: Change): void {
  const { payments, transactions, details, refunds, disputes, jobs, deliveries, timeline } = parts;
  if (change.payment) payments.put(change.payment.next);
  change.transactions?.forEach(transactions.put);
  change.refunds?.forEach(refunds.put);
  change.disputes?.forEach(disputes.put);
  change.jobs?.forEach(jobs.add);
  change.retried?.forEach(jobs.retry);
  change.finished?.forEach(jobs.finish);
  change.processed?.forEach(deliveries.markProcessed);
  change.processed?.forEach(details.addEvent);
  change.timeline.forEach(timeline.add);
  details.addTimeline(change);
}

// Databases reject fractions, so the memory ledger does too.
function assertWholeMs(dueAt: number | null): void {
  if (dueAt === null || Number.isSafeInteger(dueAt)) return;
  throw new RangeError(`A job is due at a whole millisecond, not at ${dueAt}.`);
}
