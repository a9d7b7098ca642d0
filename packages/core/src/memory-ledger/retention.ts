import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { Erased, LedgerRetention } from "../ports/ledger-retention.ts";
import type { Records } from "../ports/records.ts";
import type { MemoryDeliveries, MemoryDelivery } from "./deliveries.ts";
import type { MemoryDisputes } from "./disputes.ts";
import { finalPayments } from "./final-payments.ts";
import type { MemoryJobs } from "./jobs.ts";
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
  readonly timeline: MemoryTimeline;
  readonly records: Records;
  readonly secrets: Records;
};

export function createMemoryRetention(parts: Parts): LedgerRetention {
  const { payments, transactions, details, refunds, disputes, jobs, deliveries, timeline, records, secrets } = parts;

  const onlyFinal = (all: readonly Payment[]) => finalPayments(jobs, all);

  // A caller that read the payment earlier cannot write the data back, because its version is outdated.
  function redact(payment: Payment): void {
    const session = payment.session && { ...payment.session, url: "" };
    payments.put({ ...payment, request: "", session, version: payment.version + 1 });
    details.redact(payment.id);
    for (const refund of refunds.of(payment.id)) refunds.put({ ...refund, request: "" });
  }

  const deliveriesOf = (all: readonly Payment[]) => {
    const ids = new Set<string | null | undefined>(all.map(({ id }) => id));
    return deliveries.all().filter(({ paymentId }) => ids.has(paymentId));
  };

  return {
    async prune({ before, limit }) {
      const old = onlyFinal(
        [...payments.all()].filter(({ createdAt, request }) => createdAt < before && request !== ""),
      );
      const pruned = [...old].sort((left, right) => left.createdAt - right.createdAt).slice(0, limit);
      pruned.forEach(redact);
      const isFinished = ({ paymentId = null }: MemoryDelivery) => {
        const payment = paymentId === null ? null : payments.find({ id: paymentId });
        return payment === null || onlyFinal([payment]).length > 0;
      };
      const bodies = deliveries
        .all()
        .filter(({ receivedAt, outcome }) => receivedAt < before && outcome !== undefined)
        .filter(({ transactionId }) => transactionId === undefined)
        .filter((delivery) => delivery.bytes.byteLength > 0 && isFinished(delivery))
        .sort((left, right) => left.receivedAt - right.receivedAt)
        .slice(0, limit);
      bodies.forEach(deliveries.redact);
      return { payments: pruned.length, deliveries: bodies.length };
    },
    async exportOrder(ref) {
      const all = payments.paymentsOfOrder(ref);
      if (all.length === 0) return null;
      const ids = all.map(({ id }) => id);
      const processed = deliveriesOf(all).sort((left, right) => left.receivedAt - right.receivedAt);
      return {
        ref,
        payments: all,
        transactions: ids.flatMap((id) => transactions.of(id)),
        refunds: ids.flatMap((id) => refunds.of(id)),
        disputes: ids.flatMap((id) => disputes.of(id)),
        timeline: timeline.of(ids),
        deliveries: processed.map(({ receivedAt, bytes }) => ({ receivedAt, body: new TextDecoder().decode(bytes) })),
      };
    },
    async eraseOrders(refs: readonly OrderRef[]): Promise<Erased> {
      const all = refs.flatMap((ref) => payments.paymentsOfOrder(ref));
      const final = onlyFinal(all);
      final.forEach(redact);
      deliveriesOf(final).forEach(deliveries.redact);
      return { erased: final.length, unfinished: all.length - final.length };
    },
    async eraseStore(storeId): Promise<Erased> {
      const all = [...payments.all()].filter(({ ref }) => ref.storeId === storeId);
      const final = onlyFinal(all);
      deliveriesOf(final).forEach(deliveries.redact);
      for (const { id } of final) {
        transactions.of(id).forEach(transactions.remove);
        refunds.of(id).forEach(refunds.remove);
        disputes.of(id).forEach(disputes.remove);
        timeline.remove(id);
        details.remove(id);
        payments.remove(id);
      }
      const unfinished = all.length - final.length;
      if (unfinished > 0) return { erased: final.length, unfinished };
      jobs.eraseStore(storeId);
      for (const rows of [records, secrets]) await rows.eraseStore(storeId);
      return { erased: final.length, unfinished };
    },
    forgetJobs: async (before) => jobs.forget(before),
  };
}
