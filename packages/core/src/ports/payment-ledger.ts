import type { Delivery, ProcessedDelivery } from "../domain/delivery.ts";
import type { Dispute } from "../domain/dispute.ts";
import type { Job, NewJob } from "../domain/job.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { TimelineEntry } from "../domain/timeline.ts";

/**
 * Where payments, deliveries, jobs, locks, refunds, disputes and the story are kept. `commit` is the one writer of payments:
 * state, jobs, refunds, disputes and story together or not at all. No open transaction ever crosses this port.
 *
 * Unique rules (a commit that breaks one answers `taken` and changes nothing):
 * one payment of (storeId, orderId) in `intent` or `open` · one of (storeId, orderId) in `verified` or `recorded` ·
 * one of (storeId, attempt) in `intent` or `open`, where attempt is not empty · session id · a refund key belongs to one
 * payment, and so does the id of a dispute. Times and leases are whole milliseconds.
 */
export interface PaymentLedger {
  /** Where several match, the newest payment wins (createdAt, then the one added later); never matches an empty attempt. */
  find(by: PaymentKey): Promise<Payment | null>;
  /** All payments of one order, oldest first. */
  siblings(ref: OrderRef): Promise<readonly Payment[]>;
  refunds(paymentId: string): Promise<readonly Refund[]>;
  /** Oldest first, as they were added. */
  disputes(paymentId: string): Promise<readonly Dispute[]>;
  /**
   * `stale`: the expected version or the fence was lost, which is looked at first. `taken`: a unique rule.
   * @throws RangeError when `next.version` does not follow `expect`
   */
  commit(change: Change): Promise<"done" | "stale" | "taken">;
  /**
   * Durable when it resolves. The same endpoint and digest is one row; each new row gets its delivery job, due at
   * `receivedAt`, with payload `{"endpointId","digest"}`, in the same transaction.
   */
  receive(rows: readonly Delivery[]): Promise<void>;
  delivery(endpointId: string, digest: string): Promise<Delivery | null>;
  /**
   * Takes up to `limit` due jobs for `worker` until `now + leaseMs`. Fair over stores: every store's first job comes before
   * any store's second, the longest waiting first, and at most `limits.jobsPerStore` of one store a round; jobs without a
   * store count as those of one. A job whose lease ran out is due again. Each claim counts one attempt, the first is 1.
   * Jobs of the stores in `except` are left where they are.
   */
  claim(want: {
    worker: string;
    now: number;
    leaseMs: number;
    limit: number;
    except?: readonly string[];
  }): Promise<readonly Job[]>;
  /** Answers the ids that are still the worker's own; a lease that ran out is, as long as nobody took the job since. */
  renewJobs(ids: readonly string[], worker: string, now: number, leaseMs: number): Promise<readonly string[]>;
  /** When a job can be claimed next: a due time, or the end of a lease if it is not renewed. Null when there is none. */
  nextDueAt(): Promise<number | null>;
  /** A fence greater than every earlier one of this order, or null while it is held, be it by the same worker. */
  lockOrder(ref: OrderRef, worker: string, now: number, leaseMs: number): Promise<number | null>;
  unlockOrder(ref: OrderRef, fence: number): Promise<void>;
  /** false: it was given back, or taken by somebody else after it ran out. */
  renewOrder(ref: OrderRef, fence: number, now: number, leaseMs: number): Promise<boolean>;
  /** Payments that may still receive money (intent, open, superseded, expired), newest first; for events that name nothing. */
  openPayments(credentialId: string, limit: number): Promise<readonly Payment[]>;
  /** Oldest first. By order: the lines of all its payments. */
  timeline(by: { paymentId: string } | { ref: OrderRef }): Promise<readonly TimelineEntry[]>;
  /**
   * Calls `hear` soon after work was added, here or by another process, so that a worker need not wait for its next round.
   * A hint that may get lost. Answers how to stop; left out by ledgers that cannot tell.
   */
  onNewJobs?(hear: () => void): () => void;
  /** What time its own machine says it is, in milliseconds since 1970; left out where that is this machine. */
  currentTime?(): Promise<number>;
}

export type PaymentKey =
  | { readonly id: string }
  | { readonly sessionId: string }
  | { readonly attempt: string; readonly storeId: string }
  | { readonly transactionId: string };

export type Change = {
  /** The commit counts only while nobody has locked the order since. */
  readonly fence?: { readonly ref: OrderRef; readonly value: number };
  /** `next.version` must be `expect + 1`, or 1 for a new payment. A new one whose id exists is `stale`. */
  readonly payment?: { readonly next: Payment; readonly expect: number | "new" };
  readonly jobs?: readonly NewJob[];
  /** Ids that are not there (any more) are passed over, here and in `retried`. */
  readonly finished?: readonly string[];
  /**
   * Ends the lease. `dueAt: null` makes a dead letter: kept, visible, never claimed again unless it is retried. `anew` counts
   * its attempts from zero: somebody decided that it is worth another go.
   */
  readonly retried?: readonly {
    readonly id: string;
    readonly dueAt: number | null;
    readonly error: string;
    readonly anew?: boolean;
  }[];
  /** What came of deliveries; one that is not there (any more) is passed over. */
  readonly processed?: readonly ProcessedDelivery[];
  /** Inserted or, under the same key, replaced. */
  readonly refunds?: readonly Refund[];
  /** Inserted or, under the same id, replaced; one that was updated before what is kept is passed over. */
  readonly disputes?: readonly Dispute[];
  readonly timeline: readonly TimelineEntry[];
};
