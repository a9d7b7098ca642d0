import {
  amountField,
  enumField,
  type JsonObject,
  numberField,
  type OpenEnum,
  objectField,
  stringField,
  timeField,
  unwrapObject,
} from "./json-fields.ts";

export type TransactionStatus = "pending" | "completed" | "failed" | "refunded" | "expired" | "cancelled" | "held";

export type FailureCode =
  | "card_declined"
  | "insufficient_funds"
  | "expired_card"
  | "incorrect_cvc"
  | "processing_error"
  | "authentication_failed"
  | "customer_rejected"
  | "timeout";

/**
 * A transaction as the service returned it. Fields missing from the response are undefined. Amounts are in the unit of the API, times in
 * milliseconds since 1970. Only `completed` means paid; an unknown status does not.
 */
export type Transaction = {
  /** A UUID. */
  readonly id?: string | undefined;
  /** `txn_…`: the service's short ID of the same transaction. GET /transactions/{id} accepts both. */
  readonly publicId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly status?: OpenEnum<TransactionStatus> | undefined;
  readonly type?: OpenEnum<"payment" | "refund" | "payout"> | undefined;
  /** The amount that the customer paid: compare it with the order. */
  readonly grossAmount?: number | undefined;
  readonly feeAmount?: number | undefined;
  readonly netAmount?: number | undefined;
  /** Sum of all completed refunds. */
  readonly refundedAmount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly providerCode?: string | undefined;
  readonly description?: string | undefined;
  /** Why a failed payment failed, as the service calls it. */
  readonly failureCode?: OpenEnum<FailureCode> | undefined;
  readonly failureMessage?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
};

/** Null when the response holds no transaction. */
export function parseTransaction(response: unknown): Transaction | null {
  const fields = unwrapObject(response, ["transaction_id", "id"]);
  if (fields === null) return null;
  const metadata = objectField(fields, "metadata");
  return {
    id: stringField(fields, "transaction_id", "id"),
    publicId: stringField(fields, "public_id"),
    sessionId: stringField(fields, "checkout_session_id") ?? (metadata && stringField(metadata, "checkout_session_id")),
    customerId: stringField(fields, "customer_id"),
    status: enumField(fields, "status"),
    type: enumField(fields, "transaction_type"),
    grossAmount: amountField(fields, "gross_amount"),
    feeAmount: numberField(fields, "fee_amount"),
    netAmount: numberField(fields, "net_amount"),
    refundedAmount: amountField(fields, "refunded_amount"),
    currencyCode: stringField(fields, "currency_code"),
    providerCode: stringField(fields, "provider_code"),
    description: stringField(fields, "description"),
    failureCode: enumField(fields, "failure_code"),
    failureMessage: stringField(fields, "failure_message"),
    metadata,
    environment: enumField(fields, "environment"),
    createdAt: timeField(fields, "created_at"),
    updatedAt: timeField(fields, "updated_at"),
  };
}
