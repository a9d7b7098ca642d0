import type { DeliveryOutcome } from "../domain/delivery.ts";
import type { Dispute } from "../domain/dispute.ts";
import type { HostJobKind, Job, JobError, JobKind } from "../domain/job.ts";
import type { Movements } from "../domain/movement.ts";
import type { Environment } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { Refund } from "../domain/refund.ts";
import type { PaymentStatistics, StatisticsQuery } from "./payment-statistics.ts";

/** Lists and counts for operators, newest first. Read-only; no use-case depends on this interface. */
export interface LedgerView {
  /** `atMost`: stops counting a state at this number, so that a page need not count a million rows. */
  countPayments(query?: {
    storeId?: string;
    environment?: Environment;
    atMost?: number;
  }): Promise<Readonly<Record<PaymentState, number>>>;
  /**
   * A page may hold fewer rows than `limit`, or none, although `next` names another page: a ledger reads a limited number of rows
   * for one page of a rare combination of filters.
   */
  listPayments(query: PaymentFilter & PageRequest): Promise<Page<Payment>>;
  /** What the service's events reported about a payment's transaction. Null: the ledger does not contain the payment. */
  transactionDetails(paymentId: string): Promise<TransactionDetails | null>;
  /**
   * Payments with everything that is known about their money, in the order of `paymentIds` and in few queries, however many there
   * are. Payments that the ledger does not contain are left out.
   */
  paymentsWithMovements(paymentIds: readonly string[]): Promise<readonly PaymentWithMovements[]>;
  /** The payments that have more than one transaction, candidates included; those whose further transaction was found last come first. */
  paymentsOfSeveralTransactions(query: { limit: number }): Promise<readonly string[]>;
  /** `from` (included) and `until` (excluded) are times of the request. */
  listRefunds(
    query: { storeId?: string; environment?: Environment; from?: number; until?: number } & PageRequest,
  ): Promise<Page<Refund>>;
  /** The figures of a period, for charts. */
  paymentStatistics(query: StatisticsQuery): Promise<PaymentStatistics>;
  /** `due`: can be claimed now. `waiting`: due later, or leased. `dead`: dead-letter jobs. */
  countJobs(now: number): Promise<{ readonly due: number; readonly waiting: number; readonly dead: number }>;
  /**
   * `minAttempts`: only jobs with at least this many attempts. `readyBefore`: only jobs that could be claimed before this time and
   * that no process has claimed since, also of kinds that this version does not know.
   */
  listJobs(
    query: {
      id?: string;
      dead?: boolean;
      kind?: JobKind | HostJobKind;
      minAttempts?: number;
      readyBefore?: number;
      storeId?: string;
      paymentId?: string;
    } & PageRequest,
  ): Promise<Page<StoredJob>>;
  /** `atMost`: stops counting an outcome at this number. */
  countDeliveries(query?: { atMost?: number }): Promise<Readonly<Record<DeliveryOutcome | "waiting", number>>>;
  listDeliveries(
    query: { outcome?: DeliveryOutcome | "waiting"; paymentId?: string } & PageRequest,
  ): Promise<Page<StoredDelivery>>;
  /** `over`: decided disputes. */
  countDisputes(query?: { environment?: Environment }): Promise<{ readonly open: number; readonly over: number }>;
  /** Open disputes first, then the newest. `dueBefore`: only disputes whose evidence is due before this time. */
  listDisputes(
    query: { open?: boolean; dueBefore?: number; environment?: Environment } & PageRequest,
  ): Promise<Page<Dispute>>;
}

export type PaymentWithMovements = { readonly payment: Payment; readonly movements: Movements };

/** Every given value must match. `from` (included) and `until` (excluded) are times of creation. */
export type PaymentFilter = {
  readonly storeId?: string;
  readonly orderId?: string;
  /** The order's number or its id. */
  readonly orderNumber?: string;
  /** The service's id of the customer, as an event named it. */
  readonly customerId?: string;
  readonly states?: readonly PaymentState[];
  readonly from?: number;
  readonly until?: number;
  readonly environment?: Environment;
  /** The service's word for how the shopper paid: `CARD`, `WAVE`, `MTN`. */
  readonly method?: string;
  readonly currency?: string;
  /** Both included, in minor units of the amount due. */
  readonly minAmount?: number;
  readonly maxAmount?: number;
};

/** Each value is null until an event of the service named it. Times in milliseconds since 1970. */
export type TransactionDetails = {
  readonly transactionCode: string | null;
  readonly method: string | null;
  readonly customerId: string | null;
  /** In the service's unit, as the payment's `wireAmount`. */
  readonly wireFee: number | null;
  readonly wireNet: number | null;
  /** When the service made the event of the success. */
  readonly succeededAt: number | null;
  /** When the payment was recorded on its order. */
  readonly recordedAt: number | null;
};

/** `after` is the `next` of the previous page. */
export type PageRequest = { readonly limit: number; readonly after?: string };

export type Page<Row> = { readonly rows: readonly Row[]; readonly next: string | null };

/** `readyAt`: when the job can be claimed; null for a dead-letter job. `error`: why the last attempt did not finish the job. */
export type StoredJob = Job & { readonly readyAt: number | null; readonly error: JobError | null };

/**
 * `outcome`, `event` and `eventAt` are null until the delivery is processed; `event` and `eventAt` stay null for a body that is not
 * an event. `byteLength` is 0 after the body was pruned. `attempts`: how many times the delivery was tried until it was processed;
 * 0 before that.
 */
export type StoredDelivery = {
  readonly endpointId: string;
  readonly digest: string;
  readonly receivedAt: number;
  readonly byteLength: number;
  readonly outcome: DeliveryOutcome | null;
  readonly paymentId: string | null;
  readonly event: string | null;
  readonly eventAt: number | null;
  readonly attempts: number;
};
