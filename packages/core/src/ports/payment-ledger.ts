import type { Delivery, ProcessedDelivery } from "../domain/delivery.ts";
import type { Dispute } from "../domain/dispute.ts";
import type { HostJobKind, Job, JobError, NewJob } from "../domain/job.ts";
import type { PaidTransaction } from "../domain/movement.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { TimelineEntry } from "../domain/timeline.ts";

/**
 * Stores payments, deliveries, jobs, locks, refunds, disputes and the timeline. `commit` is the only writer of payments: it
 * writes state, jobs, refunds, disputes and timeline in one transaction. No transaction stays open between two calls.
 *
 * Unique rules (a commit that violates a rule returns `taken` and changes nothing):
 * - at most one payment of an order (storeId, orderId) is in `intent` or `open`
 * - at most one payment of an order is in `verified` or `recorded`; a payment that is `lostToDispute` does not count
 * - at most one payment of an attempt (storeId, attempt) is in `intent` or `open`; an empty attempt is no attempt
 * - a session id, a refund key and the id of a dispute each belong to one payment
 *
 * Times and leases are whole milliseconds.
 */
export interface PaymentLedger {
  /** Of several matches the newest payment is returned (by `createdAt`, then by insertion). An empty attempt matches nothing. */
  find(by: PaymentKey): Promise<Payment | null>;
  /** All payments of one order, oldest first. */
  paymentsOfOrder(ref: OrderRef): Promise<readonly Payment[]>;
  /** The completed transactions of a payment and its candidates, in the order of insertion. */
  transactions(paymentId: string): Promise<readonly PaidTransaction[]>;
  refunds(paymentId: string): Promise<readonly Refund[]>;
  /** In the order of insertion. */
  disputes(paymentId: string): Promise<readonly Dispute[]>;
  /**
   * When a refund of this credential was last shown with our mark, and when the service last refused a marked refund. Milliseconds
   * since 1970, null: never.
   */
  markHistory(credentialId: string): Promise<MarkHistory>;
  /**
   * `stale`: the version or the fence is outdated; this is checked first. `taken`: the change violates a unique rule.
   * @throws RangeError when `next.version` does not follow `expect`
   */
  commit(change: Change): Promise<"done" | "stale" | "taken">;
  /**
   * Stores deliveries; they are durable when the promise resolves. Deliveries with the same endpoint and digest share one row.
   * Each new row gets a delivery job in the same transaction, due at `receivedAt`, with payload `{"endpointId","digest"}`.
   */
  receive(rows: readonly Delivery[]): Promise<void>;
  delivery(endpointId: string, digest: string): Promise<Delivery | null>;
  /** The processed deliveries that named one of these transactions, which nothing tied to a payment then. Oldest first. */
  unmatchedDeliveries(transactionIds: readonly string[]): Promise<readonly Pick<Delivery, "endpointId" | "digest">[]>;
  /**
   * Leases up to `limit` due jobs to `worker` until `now + leaseMs`. Claims are fair across stores: every store's first job comes
   * before any store's second job, the longest waiting first, and at most `limits.claimedJobsPerStore` jobs of one store are claimed.
   * Jobs without a store count as one store. A job whose lease expired is due again. Each claim counts as one attempt; the first
   * attempt is 1. Jobs of the stores in `except` are not claimed.
   *
   * Without `hostKinds` only jobs about payments are claimed, with `hostKinds` only jobs of these hosts: neither waits behind the
   * other. Jobs of kinds that this process does not know are left as they are.
   *
   * A wait that lies further ahead than its limit was set by a clock that was ahead. The first claim after the clock was set back, and
   * a claim every `limits.clockCorrectionMs`, shorten it to the whole limit from `now`: a lease to the longer of `leaseMs` and
   * `limits.jobLeaseMs`, the due time of a job of a host to its `waitMs`, and every other due time to `latestDueAt`.
   */
  claim(request: {
    worker: string;
    now: number;
    leaseMs: number;
    limit: number;
    except?: readonly string[];
    hostKinds?: readonly HostJobKind[];
  }): Promise<readonly Job[]>;
  /** Returns the ids of the jobs that the worker still holds: also after its lease expired, unless another worker claimed the job. */
  renewJobs(ids: readonly string[], worker: string, now: number, leaseMs: number): Promise<readonly string[]>;
  /**
   * When the next job about a payment or of these hosts can be claimed: its due time, or the end of its lease. Null when there are no
   * such jobs.
   */
  nextDueAt(hostKinds?: readonly HostJobKind[]): Promise<number | null>;
  /** What a store's job with this key was asked to do, until its key is forgotten. Null: there was no such job. */
  jobByKey(storeId: string, uniqueKey: string): Promise<KeyedJob | null>;
  /**
   * Leases an order. Returns a fence above every earlier fence of the order, or null while any worker holds the lease, even `worker`.
   * A lease that ends later than the longer of `leaseMs` and `limits.orderLeaseMs` from `now` is shortened to that time.
   */
  lockOrder(ref: OrderRef, worker: string, now: number, leaseMs: number): Promise<number | null>;
  unlockOrder(ref: OrderRef, fence: number): Promise<void>;
  /** false: the lease was released, or another worker took it after it expired. */
  renewOrder(ref: OrderRef, fence: number, now: number, leaseMs: number): Promise<boolean>;
  /** Payments that may still be paid (intent, open, superseded, expired), newest first. Used for events that name no payment. */
  openPayments(credentialId: string, limit: number): Promise<readonly Payment[]>;
  /** Oldest first. For an order: the entries of all its payments. */
  timeline(by: { paymentId: string } | { ref: OrderRef }): Promise<readonly TimelineEntry[]>;
  /**
   * Calls `listener` soon after any process added a job, so a worker need not wait for its next poll. Notifications may get
   * lost. Returns a function that removes the listener. Optional.
   */
  onNewJobs?(listener: () => void): () => void;
  /** The time on the database's machine, in milliseconds since 1970. Absent where the database runs on this machine. */
  currentTime?(): Promise<number>;
  /** Whether the database takes writes now. Absent where the database is a file of this machine. */
  condition?(): Promise<LedgerCondition>;
}

/** `payload` is the payload with which the job was added. */
export type KeyedJob = { readonly payload: string; readonly isDone: boolean };

/**
 * `standby`: the database only reads, for example after another server took over. `commits_wait`: commits have been waiting for
 * more than two seconds for a standby that does not answer.
 */
export type LedgerCondition = "ready" | "standby" | "commits_wait";

export type MarkHistory = { readonly readAt: number | null; readonly refusedAt: number | null };

export type PaymentKey =
  | { readonly id: string }
  /** The first characters of an id: digits, lower-case letters and hyphens. Empty matches nothing. */
  | { readonly idPrefix: string }
  | { readonly sessionId: string }
  | { readonly attempt: string; readonly storeId: string }
  /** A transaction that certainly paid the payment. A candidate names no payment. */
  | { readonly transactionId: string }
  /** `cs_…`: the end of the hosted page's address. */
  | { readonly sessionCode: string }
  /** `txn_…`, once an event of the service named it. */
  | { readonly transactionCode: string };

export type Change = {
  /** The commit is `stale` if the order was leased again after this fence. */
  readonly fence?: { readonly ref: OrderRef; readonly value: number };
  /** `next.version` must be `expect + 1`, or 1 for a new payment. A new payment whose id exists already is `stale`. */
  readonly payment?: { readonly next: Payment; readonly expect: number | "new" };
  readonly jobs?: readonly NewJob[];
  /** Jobs to delete; their unique keys stay, with their last due time. Unknown ids are ignored, here and in `retried`. */
  readonly finished?: readonly string[];
  /**
   * Jobs to try again; their leases end. `dueAt: null` makes a dead-letter job: it stays visible and is not claimed again unless
   * an operator retries it. `resetAttempts` sets its attempts to zero. `onlyDead`: a job
   * that is no dead-letter job is left alone, because somebody else has retried it already. `payload` replaces the payload `from`: another worker that has
   * taken the job over may have replaced it already, and then nothing changes. `waitMs` is how long a job of a host waits for `dueAt`.
   */
  readonly retried?: readonly {
    readonly id: string;
    readonly dueAt: number | null;
    readonly error: JobError;
    readonly resetAttempts?: boolean;
    readonly onlyDead?: boolean;
    readonly payload?: { readonly from: string; readonly to: string };
    readonly waitMs?: number;
  }[];
  /** Outcomes of deliveries. Unknown deliveries are ignored. */
  readonly processed?: readonly ProcessedDelivery[];
  /** Inserted, or replaced under the same id of the same payment. */
  readonly transactions?: readonly PaidTransaction[];
  /** Inserted, or replaced under the same key. */
  readonly refunds?: readonly Refund[];
  /** Inserted, or replaced under the same id. A dispute older than the stored dispute is ignored. */
  readonly disputes?: readonly Dispute[];
  readonly timeline: readonly TimelineEntry[];
};
