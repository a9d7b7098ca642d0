import type { DeliveryOutcome } from "../domain/delivery.ts";
import type { Dispute } from "../domain/dispute.ts";
import type { Job } from "../domain/job.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";

/** What operators look at: lists and counts, newest first. Reads only; no use-case depends on it. */
export interface LedgerView {
  countPayments(want?: { storeId?: string }): Promise<Readonly<Record<PaymentState, number>>>;
  /** `from` (included) and `until` (excluded) are times of creation. */
  listPayments(
    want: {
      storeId?: string;
      orderId?: string;
      states?: readonly PaymentState[];
      from?: number;
      until?: number;
    } & PageRequest,
  ): Promise<Page<Payment>>;
  /** `due`: could be claimed now. `waiting`: later, or leased. `dead`: a person has to look. */
  countJobs(now: number): Promise<{ readonly due: number; readonly waiting: number; readonly dead: number }>;
  /** `tries`: at least so many. */
  listJobs(
    want: { dead?: boolean; tries?: number; storeId?: string; paymentId?: string } & PageRequest,
  ): Promise<Page<StoredJob>>;
  countDeliveries(): Promise<Readonly<Record<DeliveryOutcome | "waiting", number>>>;
  listDeliveries(
    want: { outcome?: DeliveryOutcome | "waiting"; paymentId?: string } & PageRequest,
  ): Promise<Page<StoredDelivery>>;
  countDisputes(): Promise<{ readonly open: number; readonly over: number }>;
  /** Open ones first, and of each kind the newest. `dueBefore`: with a time for evidence that ends before then. */
  listDisputes(want: { open?: boolean; dueBefore?: number } & PageRequest): Promise<Page<Dispute>>;
}

/** `after` is the `next` of the page before. */
export type PageRequest = { readonly limit: number; readonly after?: string };

export type Page<Row> = { readonly rows: readonly Row[]; readonly next: string | null };

/** `readyAt`: when it may be claimed; null for a dead letter. `error`: why it was retried or given up. */
export type StoredJob = Job & { readonly readyAt: number | null; readonly error: string | null };

/** `outcome` null: not processed yet. `bytes`: how many, 0 once the body was pruned. */
export type StoredDelivery = {
  readonly endpointId: string;
  readonly digest: string;
  readonly receivedAt: number;
  readonly byteLength: number;
  readonly outcome: DeliveryOutcome | null;
  readonly paymentId: string | null;
};
