import type { Money } from "./money.ts";

export type RefundState = "asked" | "unknown" | "pending" | "completed" | "failed";

/** What the service says of one refund. `wireAmount` in its own unit; a status that is new to us is `pending`. */
export type RefundReading = {
  readonly id: string;
  readonly status: "pending" | "completed" | "failed";
  readonly wireAmount: number;
};

/**
 * One refund of a payment, partial or full. `key` is its Idempotency-Key at the service and unique in the ledger. `asked`: about
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
  /** When it was asked for, in milliseconds since 1970: the service forgets its key a day later. */
  readonly askedAt: number;
};
