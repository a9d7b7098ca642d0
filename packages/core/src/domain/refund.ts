import type { Money } from "./money.ts";

export type RefundState = "asked" | "unknown" | "pending" | "completed" | "failed";

/** What the service says of one refund. `wireAmount` in its own unit; a status that is new to us is `pending`. */
export type RefundReading = {
  readonly id: string;
  readonly status: "pending" | "completed" | "failed";
  readonly wireAmount: number;
  /** Milliseconds since 1970; absent where the service does not report it. */
  readonly createdAt?: number | undefined;
};

/**
 * One refund of a payment, partial or full. `key` is its Idempotency-Key at the service, and unique
 * among all refunds of the ledger, whatever the payment, order or store. `asked`: about
 * to be sent. `unknown`: sent, and the answer was lost.
 */
export type Refund = {
  readonly key: string;
  readonly paymentId: string;
  readonly origin: "store" | "service" | "policy";
  readonly amount: Money;
  /** The exact POST body; empty for a refund that was made elsewhere. */
  readonly request: string;
  readonly transactionId: string;
  readonly state: RefundState;
  readonly refundId: string | null;
  /** When it was asked for, in milliseconds since 1970. The service forgets the key a day later. */
  readonly askedAt: number;
  /**
   * From then on its outcome is only read and it is never sent again: the service refused to repeat a request whose answer
   * was lost. Milliseconds since 1970; null: it may be sent again as long as the service keeps its key.
   */
  readonly readOnlySince: number | null;
  /** Other keys under which it was asked for once more, because its answer had been lost: they are this refund for good. */
  readonly otherKeys: readonly string[];
};

/**
 * The transaction that a refund was made from: it paid, whatever the session names. A refund that was refused may name a
 * declined one.
 */
export function provenTransaction(refunds: readonly Refund[]): string | undefined {
  return refunds.find(({ refundId, transactionId }) => refundId !== null && transactionId !== "")?.transactionId;
}
