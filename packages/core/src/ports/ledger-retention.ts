import type { Dispute } from "../domain/dispute.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { TimelineEntry } from "../domain/timeline.ts";

/**
 * How personal data leaves a ledger. A payment is final when it is `recorded`, `refunded` or `closed` and no job of it is
 * left; before that nothing of it is pruned or erased. Webhook bodies, POST bodies and the addresses of pages are what can
 * hold personal data; digests and amounts stay, so that a repeated webhook is still known.
 */
export interface LedgerRetention {
  /** Empties what is older than `before` (times of creation and receipt) and final, or nobody's. At most `limit` rows of each kind. */
  prune(want: { before: number; limit: number }): Promise<{ readonly payments: number; readonly deliveries: number }>;
  /** Everything that is kept about an order. Null when nothing is. */
  exportOrder(ref: OrderRef): Promise<OrderExport | null>;
  /** Empties what can hold personal data of these orders at once. `unfinished`: payments that are not final: come again. */
  eraseOrders(refs: readonly OrderRef[]): Promise<Erased>;
  /** Removes the final payments of a store with all that belongs to them, and, once none is left, its records and secrets. */
  eraseStore(storeId: string): Promise<Erased>;
}

/** Counts of payments. */
export type Erased = { readonly erased: number; readonly unfinished: number };

export type OrderExport = {
  readonly ref: OrderRef;
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  readonly timeline: readonly TimelineEntry[];
  /** Webhook bodies as text. */
  readonly deliveries: readonly { readonly receivedAt: number; readonly body: string }[];
};
