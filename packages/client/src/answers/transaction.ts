import { instant, type Known, number, type Row, row, text } from "./fields.ts";
import { unwrapOne } from "./unwrap.ts";

export type TransactionStatus = "pending" | "completed" | "failed" | "refunded" | "expired" | "cancelled" | "held";

/**
 * A transaction as an answer showed it; undefined = not said. Amounts in the unit of the wire, times in milliseconds
 * since 1970. A status that is new to us is not paid.
 */
export type Transaction = {
  readonly id?: string | undefined;
  /** `txn_…` */
  readonly publicId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly status?: Known<TransactionStatus> | undefined;
  readonly type?: Known<"payment" | "refund" | "payout"> | undefined;
  /** What the customer paid: the field to compare with an order. */
  readonly grossAmount?: number | undefined;
  readonly feeAmount?: number | undefined;
  readonly netAmount?: number | undefined;
  /** Sum of completed refunds. */
  readonly refundedAmount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly providerCode?: string | undefined;
  readonly description?: string | undefined;
  readonly metadata?: Row | undefined;
  readonly environment?: Known<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
};

/** Null when the answer is no transaction at all. */
export function readTransaction(answer: unknown): Transaction | null {
  const found = unwrapOne(answer, ["transaction_id", "id"]);
  if (found === null) return null;
  const metadata = row(found, "metadata");
  return {
    id: text(found, "transaction_id", "id"),
    publicId: text(found, "public_id"),
    sessionId: text(found, "checkout_session_id") ?? (metadata && text(metadata, "checkout_session_id")),
    customerId: text(found, "customer_id"),
    status: text(found, "status"),
    type: text(found, "transaction_type"),
    grossAmount: number(found, "gross_amount"),
    feeAmount: number(found, "fee_amount"),
    netAmount: number(found, "net_amount"),
    refundedAmount: number(found, "refunded_amount"),
    currencyCode: text(found, "currency_code"),
    providerCode: text(found, "provider_code"),
    description: text(found, "description"),
    metadata,
    environment: text(found, "environment"),
    createdAt: instant(found, "created_at"),
    updatedAt: instant(found, "updated_at"),
  };
}
