import { type JsonObject, numberField, type OpenEnum, objectField, stringField, timeField } from "./json-fields.ts";
import { unwrapObject } from "./unwrap.ts";

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
  readonly status?: OpenEnum<TransactionStatus> | undefined;
  readonly type?: OpenEnum<"payment" | "refund" | "payout"> | undefined;
  /** What the customer paid: the field to compare with an order. */
  readonly grossAmount?: number | undefined;
  readonly feeAmount?: number | undefined;
  readonly netAmount?: number | undefined;
  /** Sum of completed refunds. */
  readonly refundedAmount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly providerCode?: string | undefined;
  readonly description?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
};

/** Null when the answer is no transaction at all. */
export function readTransaction(answer: unknown): Transaction | null {
  const found = unwrapObject(answer, ["transaction_id", "id"]);
  if (found === null) return null;
  const metadata = objectField(found, "metadata");
  return {
    id: stringField(found, "transaction_id", "id"),
    publicId: stringField(found, "public_id"),
    sessionId: stringField(found, "checkout_session_id") ?? (metadata && stringField(metadata, "checkout_session_id")),
    customerId: stringField(found, "customer_id"),
    status: stringField(found, "status"),
    type: stringField(found, "transaction_type"),
    grossAmount: numberField(found, "gross_amount"),
    feeAmount: numberField(found, "fee_amount"),
    netAmount: numberField(found, "net_amount"),
    refundedAmount: numberField(found, "refunded_amount"),
    currencyCode: stringField(found, "currency_code"),
    providerCode: stringField(found, "provider_code"),
    description: stringField(found, "description"),
    metadata,
    environment: stringField(found, "environment"),
    createdAt: timeField(found, "created_at"),
    updatedAt: timeField(found, "updated_at"),
  };
}
