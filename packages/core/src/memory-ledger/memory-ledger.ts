import type { OrderRef } from "../domain/order.ts";
import type { Ledger } from "../ports/ledger.ts";
import type { Change } from "../ports/payment-ledger.ts";
import { createMemoryBudgets } from "./budgets.ts";
import { createMemoryDeliveries } from "./deliveries.ts";
import { createMemoryDisputes } from "./disputes.ts";
import { createMemoryJobs, deliveryJob } from "./jobs.ts";
import { createMemoryOrderLocks } from "./order-locks.ts";
import { createMemoryPayments } from "./payments.ts";
import { createMemoryRecords } from "./records.ts";
import { createMemoryRefunds } from "./refunds.ts";
import { createMemoryRetention } from "./retention.ts";
import { createMemoryTimeline } from "./timeline.ts";
import { createMemoryView } from "./view.ts";
import { createMemoryWorkSignal } from "./work-signal.ts";

export type MemoryLedger = Ledger;

/** A ledger that forgets everything with its process: for tests, the simulator and a first look. */
export function createMemoryLedger(): MemoryLedger {
  const payments = createMemoryPayments();
  const refunds = createMemoryRefunds();
  const disputes = createMemoryDisputes();
  const jobs = createMemoryJobs();
  const deliveries = createMemoryDeliveries();
  const locks = createMemoryOrderLocks();
  const story = createMemoryTimeline();
  const records = createMemoryRecords();
  const secrets = createMemoryRecords();
  const signal = createMemoryWorkSignal();

  return {
    find: async (by) => payments.find(by),
    siblings: async (ref) => payments.siblings(ref),
    refunds: async (paymentId) => refunds.of(paymentId),
    disputes: async (paymentId) => disputes.of(paymentId),
    openPayments: async (credentialId, limit) => payments.open(credentialId, limit),
    async commit(change) {
      const answer = refusalOf(change);
      if (answer === null) apply(change);
      if (answer === null && addsWork(change)) signal.tell();
      return answer ?? "done";
    },
    async receive(rows) {
      for (const row of rows) if (deliveries.addNew(row)) jobs.add(deliveryJob(row));
      if (rows.length > 0) signal.tell();
    },
    delivery: async (endpointId, digest) => deliveries.get(endpointId, digest),
    claim: async (want) => jobs.claim(want),
    renewJobs: async (ids, worker, now, leaseMs) => jobs.renew(ids, worker, now + leaseMs),
    nextDueAt: async () => jobs.nextDueAt(),
    lockOrder: async (ref, _worker, now, leaseMs) => locks.lock(ref, now, leaseMs),
    unlockOrder: async (ref, fence) => locks.unlock(ref, fence),
    renewOrder: async (ref, fence, now, leaseMs) => locks.renew(ref, fence, now + leaseMs),
    timeline: async (by) => story.of("paymentId" in by ? [by.paymentId] : idsOf(by.ref)),
    ...createMemoryView({ payments, jobs, deliveries, disputes }),
    ...createMemoryRetention({ payments, refunds, disputes, jobs, deliveries, story, records, secrets }),
    ...createMemoryBudgets(),
    records,
    secrets,
    onNewJobs: signal.onWork,
    close: async () => signal.close(),
  };

  // Every refusal comes before the first change: together or not at all.
  function refusalOf({
    fence,
    payment,
    refunds: news = [],
    disputes: newDisputes = [],
    jobs: newJobs = [],
    retried = [],
  }: Change): "stale" | "taken" | null {
    for (const { dueAt } of [...newJobs, ...retried]) assertWholeMs(dueAt);
    if (fence && !locks.isNewest(fence.ref, fence.value)) return "stale";
    const refusal = payment ? payments.refusal(payment) : null;
    return refusal ?? (refunds.accepts(news) && disputes.accepts(newDisputes) ? null : "taken");
  }

  function apply(change: Change): void {
    if (change.payment) payments.put(change.payment.next);
    change.refunds?.forEach(refunds.put);
    change.disputes?.forEach(disputes.put);
    change.jobs?.forEach(jobs.add);
    change.retried?.forEach(jobs.retry);
    change.finished?.forEach(jobs.finish);
    change.processed?.forEach(deliveries.hear);
    change.timeline.forEach(story.add);
  }

  function idsOf(ref: OrderRef): readonly string[] {
    return payments.siblings(ref).map(({ id }) => id);
  }
}

function addsWork({ jobs = [], retried = [] }: Change): boolean {
  return jobs.length > 0 || retried.some(({ dueAt }) => dueAt !== null);
}

// A database refuses it too: what passes here must pass there.
function assertWholeMs(dueAt: number | null): void {
  if (dueAt === null || Number.isSafeInteger(dueAt)) return;
  throw new RangeError(`A job is due at a whole millisecond, not at ${dueAt}.`);
}
