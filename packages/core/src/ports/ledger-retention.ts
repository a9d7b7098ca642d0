import type { Dispute } from "../domain/dispute.ts";
import type { PaidTransaction } from "../domain/movement.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { TimelineEntry } from "../domain/timeline.ts";

/**
 * Removes personal data from a ledger. Only final payments are pruned or erased: their state is `recorded`, `refunded` or
 * `closed`, and they have no jobs left; jobs of hosts do not count. Webhook bodies, POST bodies and page URLs may hold personal data. Digests and amounts stay,
 * so a repeated webhook is still recognized.
 */
export interface LedgerRetention {
  /**
   * Empties the personal data of final payments created before `before`, and of deliveries received before `before` that belong
   * to a final payment or to no payment. A delivery that waits until its transaction is tied to a payment (`ProcessedDelivery.transactionId`)
   * keeps its body, because it is the only place where a dispute can be read. At most `limit` payments and `limit` deliveries.
   */
  prune(options: {
    before: number;
    limit: number;
  }): Promise<{ readonly payments: number; readonly deliveries: number }>;
  /** Everything that the ledger stores about an order; null when it stores nothing. */
  exportOrder(ref: OrderRef): Promise<OrderExport | null>;
  /** Empties the personal data of these orders now. `unfinished` counts payments that are not final yet; call again for them. */
  eraseOrders(refs: readonly OrderRef[]): Promise<Erased>;
  /**
   * Deletes a store's final payments with their rows, and, once no payment is left, the store's records, secrets and jobs of hosts. A job
   * that runs stays.
   */
  eraseStore(storeId: string): Promise<Erased>;
  /** Forgets the unique keys of the jobs of hosts that are done and were last due before `before`, and returns how many. */
  forgetJobs(before: number): Promise<number>;
}

/** Counts of payments. */
export type Erased = { readonly erased: number; readonly unfinished: number };

export type OrderExport = {
  readonly ref: OrderRef;
  readonly payments: readonly Payment[];
  readonly transactions: readonly PaidTransaction[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  readonly timeline: readonly TimelineEntry[];
  /** Webhook bodies as text. */
  readonly deliveries: readonly { readonly receivedAt: number; readonly body: string }[];
};
