import {
  amountField,
  enumField,
  type JsonObject,
  type OpenEnum,
  objectField,
  stringField,
  timeField,
  unwrapObject,
} from "./json-fields.ts";

/** A refund as the service returned it. Fields missing from the response are undefined. Amounts are as in API.md#amounts. */
export type ServiceRefund = RefundRow & { readonly id: string };

/** A row of GET /refunds. A row without a refund ID is no refund that can be named, and still shows what it holds. */
export type RefundRow = {
  readonly id?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly amount?: number | undefined;
  readonly refundedAmount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly status?: OpenEnum<"pending" | "completed" | "failed"> | undefined;
  readonly reason?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  /** In milliseconds since 1970. */
  readonly createdAt?: number | undefined;
  /** In milliseconds since 1970. */
  readonly updatedAt?: number | undefined;
};

/** Parses the response of POST, the response of GET or the refund of an event. Null without a refund ID. */
export function parseRefund(response: unknown): ServiceRefund | null {
  const fields = unwrapObject(response, ["refund_id"]);
  const id = fields && stringField(fields, "refund_id");
  return fields && id ? { ...fieldsOf(fields), id } : null;
}

/** Parses an item of a list. Null when it shows neither the refund nor anything that tells refunds apart. */
export function parseRefundRow(item: unknown): RefundRow | null {
  const fields = unwrapObject(item, ["refund_id", "transaction_id", "amount", "reason"]);
  const row = fields && fieldsOf(fields);
  return (row?.id ?? row?.transactionId ?? row?.amount ?? row?.reason) === undefined ? null : row;
}

function fieldsOf(fields: JsonObject): RefundRow {
  return {
    id: stringField(fields, "refund_id"),
    transactionId: stringField(fields, "transaction_id"),
    amount: amountField(fields, "amount"),
    refundedAmount: amountField(fields, "refunded_amount"),
    currencyCode: stringField(fields, "currency_code"),
    status: enumField(fields, "status"),
    reason: stringField(fields, "reason"),
    metadata: objectField(fields, "metadata"),
    environment: enumField(fields, "environment"),
    createdAt: timeField(fields, "created_at"),
    updatedAt: timeField(fields, "updated_at"),
  };
}
