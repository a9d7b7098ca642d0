import type { ArchivedDelivery, LedgerArchive, PaymentHistory } from "../ports/ledger-archive.ts";
import type { MemoryDeliveries, MemoryDelivery } from "./deliveries.ts";
import { finalPayments } from "./final-payments.ts";
import type { MemoryJobs } from "./jobs.ts";
import type { MemoryPayments } from "./payments.ts";
import type { MemoryTimeline } from "./timeline.ts";

type Parts = {
  readonly payments: MemoryPayments;
  readonly deliveries: MemoryDeliveries;
  readonly timeline: MemoryTimeline;
  readonly jobs: MemoryJobs;
};

type History = PaymentHistory & { readonly stored: readonly MemoryDelivery[] };

/** Every call searches from the beginning, because archived rows are removed. */
export function createMemoryArchive({ payments, deliveries, timeline, jobs }: Parts): LedgerArchive {
  const isArchivable = (id: string) => {
    const payment = payments.find({ id });
    return payment === null || finalPayments(jobs, [payment]).length > 0;
  };

  function historyOf(paymentId: string | null, before: number): History {
    const ref = paymentId === null ? null : (payments.find({ id: paymentId })?.ref ?? null);
    const processed = deliveries
      .all()
      .filter(({ outcome, transactionId }) => outcome !== undefined && transactionId === undefined);
    const stored = processed
      .filter((delivery) => (delivery.paymentId ?? null) === paymentId)
      .filter(({ receivedAt }) => paymentId !== null || receivedAt < before)
      .sort((left, right) => left.receivedAt - right.receivedAt);
    const entries = paymentId === null ? [] : timeline.of([paymentId]);
    return { paymentId, ref, timeline: entries, deliveries: stored.map(toArchived), stored };
  }

  function isOld(history: History, before: number): boolean {
    const isNotEmpty = history.timeline.some(({ kind }) => kind !== "archived") || history.stored.length > 0;
    return (
      isNotEmpty &&
      history.timeline.every(({ at }) => at < before) &&
      history.stored.every(({ receivedAt }) => receivedAt < before)
    );
  }

  function oldHistories(before: number): readonly History[] {
    const idsOfDeliveries = deliveries.all().flatMap(({ paymentId }) => paymentId ?? []);
    const ids = [...new Set([...timeline.paymentIds(), ...idsOfDeliveries])];
    const webhooksWithoutPayment = historyOf(null, before);
    const histories = [...ids.filter(isArchivable).map((id) => historyOf(id, before)), webhooksWithoutPayment];
    return histories.filter((history) => isOld(history, before));
  }

  return {
    async archive({ before, at, name, limit, write }) {
      const all = oldHistories(before);
      const histories = all.slice(0, limit);
      // Every text would do, because the next call searches from the beginning.
      const next = all.length > limit ? "more" : null;
      if (histories.length === 0) return { payments: 0, deliveries: 0, timelineEntries: 0, next };
      await write(histories.map(({ stored: _, ...history }) => history));
      const removed = { payments: 0, deliveries: 0, timelineEntries: 0 };
      for (const { paymentId, ref, stored, timeline: entries } of histories) {
        if (paymentId !== null && !isArchivable(paymentId)) continue;
        const count = timeline.removeEntries(entries);
        removed.timelineEntries += count;
        removed.deliveries += stored.filter(deliveries.remove).length;
        if (ref === null || count === 0) continue;
        removed.payments += 1;
        timeline.add({ paymentId, at, actor: "operator", kind: "archived", name });
      }
      return { ...removed, next };
    },
  };
}

function toArchived(delivery: MemoryDelivery): ArchivedDelivery {
  const { endpointId, digest, receivedAt, bytes, event, attempts = 0 } = delivery;
  return {
    endpointId,
    digest,
    receivedAt,
    outcome: delivery.outcome ?? "processed",
    processedAt: delivery.processedAt ?? receivedAt,
    body: new TextDecoder().decode(bytes),
    event: event?.name ?? null,
    eventAt: event?.at ?? null,
    attempts,
  };
}
