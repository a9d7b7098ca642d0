import { limits } from "./limits.ts";
import type { Money } from "./money.ts";

export type RefundState = "requested" | "unknown" | "pending" | "completed" | "failed";

/**
 * A refund as the service reports it. `wireAmount` is in the service's unit and absent where no amount could be read. An unknown
 * status is read as `pending`.
 */
export type RefundReading = {
  /** The service's id; `""` where a row of its list shows none, so two readings without an id may be one refund or two. */
  readonly id: string;
  readonly status: "pending" | "completed" | "failed";
  readonly wireAmount?: number | undefined;
  /** Milliseconds since 1970; absent where the service reports no time. */
  readonly createdAt?: number | undefined;
  /** The free text that was sent with the refund, which begins with our mark (`signing/refund-mark.ts`); absent where none is shown. */
  readonly reason?: string | undefined;
  /** The transaction as the row names it: by its id or by its code; absent where the row names none. */
  readonly transactionId?: string | undefined;
};

/**
 * One refund of a payment, partial or full. `key` is its Idempotency-Key and is unique among all refunds of the ledger.
 * State `requested`: stored and about to be sent. State `unknown`: sent, and the response was lost.
 */
export type Refund = {
  readonly key: string;
  readonly paymentId: string;
  /** Who requested the refund: the store's platform, a person in the service's dashboard, or Tillkit (a rule or an operator). */
  readonly origin: "store" | "service" | "tillkit";
  readonly amount: Money;
  /** The exact POST body; empty for a refund that was made in the service's dashboard. */
  readonly request: string;
  /** `""` for a refund that the ledger had forgotten and that the service lists without its transaction. */
  readonly transactionId: string;
  readonly state: RefundState;
  readonly refundId: string | null;
  /** When the refund was requested, in milliseconds since 1970. The service drops the key 24 hours later. */
  readonly requestedAt: number;
  /**
   * From this time on the refund is only read and never sent again, because the service refused to repeat a request whose
   * response was lost. Milliseconds since 1970; null: it may be sent again while the service keeps its key.
   */
  readonly readOnlySince: number | null;
  /** Other keys under which the store requested the same refund again after it lost our response. They stay keys of this refund. */
  readonly otherKeys: readonly string[];
  /** Our mark in the `reason` of the request, or as the service showed it; null where the refund carries none. */
  readonly mark: string | null;
  /** When the service last showed the mark, in milliseconds since 1970; null while it has not. */
  readonly markReadAt: number | null;
  /**
   * The Idempotency-Key of the POST where it is not `key`: the service refused the marked `reason`, and the decision was sent once
   * more, unmarked, as a new body under this key.
   */
  readonly unmarkedKey: string | null;
};

/** Whether the refund may have been sent and its result is unknown. */
export function isInDoubt({ state }: Pick<Refund, "state">): boolean {
  return state === "requested" || state === "unknown";
}

/**
 * From when a person who looked in the service's dashboard may tell how a refund in doubt ended, in milliseconds since 1970. Until then the engine
 * reads it again by itself, and the service may still make it.
 */
export function tellableFrom({ readOnlySince, requestedAt }: Pick<Refund, "readOnlySince" | "requestedAt">): number {
  return (readOnlySince ?? requestedAt) + limits.refundSettlesMs;
}

/** Whether money of this refund may still go back. */
export function hasNoResult(refund: Pick<Refund, "state">): boolean {
  return isInDoubt(refund) || refund.state === "pending";
}
