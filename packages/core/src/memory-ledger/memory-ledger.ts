import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { Ledger } from "../ports/ledger.ts";
import type { Change, PaymentKey } from "../ports/payment-ledger.ts";
import { createMemoryArchive } from "./archive.ts";
import { createMemoryBudgets } from "./budgets.ts";
import { createMemoryDeliveries } from "./deliveries.ts";
import { createMemoryDisputes } from "./disputes.ts";
import { createMemoryJobNotifier } from "./job-notifier.ts";
import { createMemoryJobs, deliveryJob } from "./jobs.ts";
import { createMemoryOperatorActs } from "./operator-acts.ts";
import { createMemoryOrderLocks } from "./order-locks.ts";
import { createMemoryPayments, type MemoryPayments } from "./payments.ts";
import { createMemoryRecords } from "./records.ts";
import { createMemoryRefunds } from "./refunds.ts";
import { createMemoryRetention } from "./retention.ts";
import { createMemoryTimeline } from "./timeline.ts";
import { createMemoryTransactionDetails, type MemoryTransactionDetails } from "./transaction-details.ts";
import { createMemoryView } from "./view.ts";

export type MemoryLedger = Ledger;

/** A ledger in the memory of this process, for tests, the simulator and trials. */
export function createMemoryLedger(): MemoryLedger {
  const payments = createMemoryPayments();
  const refunds = createMemoryRefunds();
  const disputes = createMemoryDisputes();
  const jobs = createMemoryJobs((id) => payments.find({ id }));
  const deliveries = createMemoryDeliveries();
  const locks = createMemoryOrderLocks();
  const timeline = createMemoryTimeline();
  const records = createMemoryRecords();
  const secrets = createMemoryRecords();
  const notifier = createMemoryJobNotifier();
  const details = createMemoryTransactionDetails();

  return {
    find: async (by) => findPayment(payments, details, by),
    paymentsOfOrder: async (ref) => payments.paymentsOfOrder(ref),
    refunds: async (paymentId) => refunds.of(paymentId),
    disputes: async (paymentId) => disputes.of(paymentId),
    openPayments: async (credentialId, limit) => payments.open(credentialId, limit),
    async commit(change) {
      const rejection = rejectionOf(change);
      if (rejection !== null) return rejection;
      apply(change);
      if (addsJobs(change)) notifier.notify();
      return "done";
    },
    async receive(rows) {
      for (const row of rows) if (deliveries.addNew(row)) jobs.add(deliveryJob(row));
      if (rows.length > 0) notifier.notify();
    },
    delivery: async (endpointId, digest) => deliveries.get(endpointId, digest),
    claim: async (request) => jobs.claim(request),
    renewJobs: async (ids, worker, now, leaseMs) => jobs.renew(ids, worker, now + leaseMs),
    nextDueAt: async () => jobs.nextDueAt(),
    lockOrder: async (ref, _worker, now, leaseMs) => locks.lock(ref, now, leaseMs),
    unlockOrder: async (ref, fence) => locks.unlock(ref, fence),
    renewOrder: async (ref, fence, now, leaseMs) => locks.renew(ref, fence, now + leaseMs),
    timeline: async (by) => timeline.of("paymentId" in by ? [by.paymentId] : idsOf(by.ref)),
    ...createMemoryView({ payments, jobs, deliveries, disputes, refunds, details }),
    ...createMemoryOperatorActs(),
    ...createMemoryRetention({ payments, details, refunds, disputes, jobs, deliveries, timeline, records, secrets }),
    ...createMemoryArchive({ payments, jobs, deliveries, timeline }),
    ...createMemoryBudgets(),
    records,
    secrets,
    onNewJobs: notifier.subscribe,
    close: async () => notifier.close(),
  };

  // Every check comes before the first change, so that a commit applies the whole change or nothing.
  function rejectionOf({
    fence,
    payment,
    refunds: newRefunds = [],
    disputes: newDisputes = [],
    jobs: newJobs = [],
    retried = [],
  }: Change): "stale" | "taken" | null {
    for (const { dueAt } of [...newJobs, ...retried]) assertWholeMs(dueAt);
    if (fence && !locks.isNewest(fence.ref, fence.value)) return "stale";
    const rejection = payment ? payments.rejection(payment) : null;
    if (rejection !== null) return rejection;
    return refunds.accepts(newRefunds) && disputes.accepts(newDisputes) ? null : "taken";
  }

  function apply(change: Change): void {
    if (change.payment) payments.put(change.payment.next);
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

  function idsOf(ref: OrderRef): readonly string[] {
    return payments.paymentsOfOrder(ref).map(({ id }) => id);
  }
}

function findPayment(payments: MemoryPayments, details: MemoryTransactionDetails, by: PaymentKey): Payment | null {
  if (!("transactionCode" in by)) return payments.find(by);
  const id = details.idOfCode(by.transactionCode);
  return id === null ? null : payments.find({ id });
}

function addsJobs({ jobs = [], retried = [] }: Change): boolean {
  return jobs.length > 0 || retried.some(({ dueAt }) => dueAt !== null);
}

// Databases reject fractions, so the memory ledger does too.
function assertWholeMs(dueAt: number | null): void {
  if (dueAt === null || Number.isSafeInteger(dueAt)) return;
  throw new RangeError(`A job is due at a whole millisecond, not at ${dueAt}.`);
}
