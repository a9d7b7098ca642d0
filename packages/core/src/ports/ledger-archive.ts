import type { Delivery, ProcessedDelivery } from "../domain/delivery.ts";
import type { OrderRef } from "../domain/order.ts";
import type { TimelineEntry } from "../domain/timeline.ts";

/**
 * Moves the history of old payments out of a ledger: webhooks and timeline entries, which are most of its rows. Payments, refunds,
 * disputes and the operators' log stay, so lists, figures and exports of payments do not change.
 */
export interface LedgerArchive {
  /**
   * Archives a part of the history in which nothing has happened since `before`, oldest first. A payment's history is archived only
   * while the payment is final (see `LedgerRetention`), and as a whole; webhooks that belong to no payment are archived by their age,
   * unless they wait until their transaction is tied to a payment.
   *
   * `write` receives the histories, and resolves when they are durable. Only then these rows are removed, and each payment gets
   * one timeline entry `archived` at `at` with the name of the archive. If `write` rejects or the process dies, nothing was
   * removed, and a later call writes the same histories again: an archive may contain a row twice, and never loses a row.
   * When there is nothing to write, `write` is not called.
   *
   * A repeated webhook whose row was removed is stored and processed again, which does not change a final payment.
   */
  archive(request: ArchiveRequest): Promise<Archived>;
}

/** Times in milliseconds since 1970. */
export type ArchiveRequest = {
  readonly before: number;
  readonly at: number;
  /** The name of the archive, such as its file's name, which the timeline shows. */
  readonly name: string;
  /** How many rows one call reads at most to look for histories. */
  readonly limit: number;
  /** The `next` of the previous call. Without it the search starts with the oldest row. */
  readonly after?: string;
  write(histories: readonly PaymentHistory[]): Promise<void>;
};

/**
 * How many rows were removed. `next`: where the search continues; null once everything was searched. A call may remove nothing
 * although `next` is not null.
 */
export type Archived = {
  readonly payments: number;
  readonly deliveries: number;
  readonly timelineEntries: number;
  readonly next: string | null;
};

export type PaymentHistory = {
  /** Null: webhooks that belong to no payment. */
  readonly paymentId: string | null;
  /** Null where the ledger has no such payment, for example because its store was erased. */
  readonly ref: OrderRef | null;
  /** Oldest first. */
  readonly timeline: readonly TimelineEntry[];
  /** Oldest first. */
  readonly deliveries: readonly ArchivedDelivery[];
};

export type ArchivedDelivery = Pick<Delivery, "endpointId" | "digest" | "receivedAt"> &
  Pick<ProcessedDelivery, "outcome" | "processedAt"> & {
    /** As text. Empty once the body was pruned. */
    readonly body: string;
    /** `event` and `eventAt` are null for a body that is not an event. */
    readonly event: string | null;
    readonly eventAt: number | null;
    /** How many times the delivery was tried until it was processed. */
    readonly attempts: number;
  };
