import { deliveryJob } from "../domain/job.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { Ledger } from "../ports/ledger.ts";
import type { Change, PaymentKey } from "../ports/payment-ledger.ts";
import { createMemoryArchive } from "./archive.ts";
import { createMemoryBudgets } from "./budgets.ts";
import { commitChange } from "./commit-change.ts";
import { createMemoryCredentials } from "./credentials.ts";
import { createMemoryDeliveries } from "./deliveries.ts";
import { createMemoryDisputes } from "./disputes.ts";
import { createMemoryJobNotifier } from "./job-notifier.ts";
import { createMemoryJobs } from "./jobs.ts";
import { createMemoryOperatorActs } from "./operator-acts.ts";
import { createMemoryOrderLocks } from "./order-locks.ts";
import { createMemoryPayments, type MemoryPayments } from "./payments.ts";
import { createMemoryRecords } from "./records.ts";
import { createMemoryRefunds } from "./refunds.ts";
import { createMemoryRetention } from "./retention.ts";
import { createMemoryTimeline } from "./timeline.ts";
import { createMemoryTransactionDetails, type MemoryTransactionDetails } from "./transaction-details.ts";
import { createMemoryTransactions, type MemoryTransactions } from "./transactions.ts";
import { createMemoryView } from "./view.ts";

export type MemoryLedger = Ledger;

/** A ledger in the memory of this process, for tests, the simulator and trials. */
export function createMemoryLedger(): MemoryLedger {
  const payments = createMemoryPayments();
  const transactions = createMemoryTransactions();
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
    find: async (by) => findPayment({ payments, transactions, details }, by),
    paymentsOfOrder: async (ref) => payments.paymentsOfOrder(ref),
    transactions: async (paymentId) => transactions.of(paymentId),
    refunds: async (paymentId) => refunds.of(paymentId),
    disputes: async (paymentId) => disputes.of(paymentId),
    markHistory: async (credentialId) =>
      refunds.markHistory((paymentId) => payments.find({ id: paymentId })?.credentialId === credentialId),
    openPayments: async (credentialId, limit) => payments.open(credentialId, limit),
    async commit(change) {
      const parts = { payments, transactions, details, refunds, disputes, jobs, deliveries, locks, timeline };
      const result = commitChange(parts, change);
      if (result === "done" && addsJobs(change)) notifier.notify();
      return result;
    },
    async receive(rows) {
      for (const row of rows) if (deliveries.addNew(row)) jobs.add(deliveryJob(row, row.receivedAt));
      if (rows.length > 0) notifier.notify();
    },
    delivery: async (endpointId, digest) => deliveries.get(endpointId, digest),
    unmatchedDeliveries: async (transactionIds) => deliveries.unmatched(transactionIds),
    claim: async (request) => jobs.claim(request),
    renewJobs: async (ids, worker, now, leaseMs) => jobs.renew(ids, worker, now + leaseMs),
    nextDueAt: async (hostKinds) => jobs.nextDueAt(hostKinds),
    jobByKey: async (storeId, uniqueKey) => jobs.byKey(storeId, uniqueKey),
    lockOrder: async (ref, _worker, now, leaseMs) => locks.lock(ref, now, leaseMs),
    unlockOrder: async (ref, fence) => locks.unlock(ref, fence),
    renewOrder: async (ref, fence, now, leaseMs) => locks.renew(ref, fence, now + leaseMs),
    timeline: async (by) => timeline.of("paymentId" in by ? [by.paymentId] : idsOf(by.ref)),
    ...createMemoryView({ payments, jobs, deliveries, disputes, refunds, details, transactions }),
    ...createMemoryOperatorActs(),
    ...createMemoryRetention({
      payments,
      transactions,
      details,
      refunds,
      disputes,
      jobs,
      deliveries,
      timeline,
      records,
      secrets,
    }),
    ...createMemoryArchive({ payments, jobs, deliveries, timeline }),
    ...createMemoryBudgets(),
    credentials: createMemoryCredentials(),
    records,
    secrets,
    onNewJobs: notifier.subscribe,
    close: async () => notifier.close(),
  };

  function idsOf(ref: OrderRef): readonly string[] {
    return payments.paymentsOfOrder(ref).map(({ id }) => id);
  }
}

type Searched = {
  readonly payments: MemoryPayments;
  readonly transactions: MemoryTransactions;
  readonly details: MemoryTransactionDetails;
};

function findPayment({ payments, transactions, details }: Searched, by: PaymentKey): Payment | null {
  if (!("transactionCode" in by) && !("transactionId" in by)) return payments.find(by);
  if ("transactionCode" in by) return payments.find({ id: details.idOfCode(by.transactionCode) ?? "" });
  const ids = transactions.paymentsOf(by.transactionId);
  const found = [...payments.all()].filter(({ id }) => ids.has(id));
  return found.sort((left, right) => left.createdAt - right.createdAt).at(-1) ?? null;
}

function addsJobs({ jobs = [], retried = [] }: Change): boolean {
  return jobs.length > 0 || retried.some(({ dueAt }) => dueAt !== null);
}
