import type { Money } from "./money.ts";

export type RefundState = "asked" | "unknown" | "pending" | "completed" | "failed";

/** One refund of a payment, partial or full. `key` is its Idempotency-Key at the service and unique in the ledger. */
export type Refund = {
  readonly key: string;
  readonly paymentId: string;
  readonly origin: "store" | "service" | "policy";
  readonly amount: Money;
  readonly request: string;
  readonly transactionId: string;
  readonly state: RefundState;
  readonly refundId: string | null;
};
