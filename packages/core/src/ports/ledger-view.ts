import type { DeliveryOutcome } from "../domain/delivery.ts";
import type { Dispute } from "../domain/dispute.ts";
import type { Job, JobError } from "../domain/job.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";

/** Lists and counts for operators, newest first. Read-only; no use-case depends on it. */
export interface LedgerView {
  countPayments(query?: { storeId?: string }): Promise<Readonly<Record<PaymentState, number>>>;
  /** `from` (included) and `until` (excluded) are times of creation. */
  listPayments(
    query: {
      storeId?: string;
      orderId?: string;
      states?: readonly PaymentState[];
      from?: number;
      until?: number;
    } & PageRequest,
  ): Promise<Page<Payment>>;
  /** `due`: can be claimed now. `waiting`: due later, or leased. `dead`: dead-letter jobs. */
  countJobs(now: number): Promise<{ readonly due: number; readonly waiting: number; readonly dead: number }>;
  /** `minAttempts`: only jobs with at least this many attempts. */
  listJobs(
    query: { dead?: boolean; minAttempts?: number; storeId?: string; paymentId?: string } & PageRequest,
  ): Promise<Page<StoredJob>>;
  countDeliveries(): Promise<Readonly<Record<DeliveryOutcome | "waiting", number>>>;
  listDeliveries(
    query: { outcome?: DeliveryOutcome | "waiting"; paymentId?: string } & PageRequest,
  ): Promise<Page<StoredDelivery>>;
  countDisputes(): Promise<{ readonly open: number; readonly over: number }>;
  /** Open disputes first, then the newest. `dueBefore`: only disputes whose evidence is due before this time. */
  listDisputes(query: { open?: boolean; dueBefore?: number } & PageRequest): Promise<Page<Dispute>>;
}

/** `after` is the `next` of the previous page. */
export type PageRequest = { readonly limit: number; readonly after?: string };

export type Page<Row> = { readonly rows: readonly Row[]; readonly next: string | null };

/** `readyAt`: when the job can be claimed; null for a dead-letter job. `error`: why the last attempt did not finish the job. */
export type StoredJob = Job & { readonly readyAt: number | null; readonly error: JobError | null };

/** `outcome` is null until the delivery is processed. `byteLength` is 0 after the body was pruned. */
export type StoredDelivery = {
  readonly endpointId: string;
  readonly digest: string;
  readonly receivedAt: number;
  readonly byteLength: number;
  readonly outcome: DeliveryOutcome | null;
  readonly paymentId: string | null;
};
