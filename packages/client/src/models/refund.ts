import { type JsonObject, numberField, type OpenEnum, objectField, stringField, timeField } from "./json-fields.ts";
import { unwrapObject } from "./unwrap.ts";

/** A refund as an answer showed it; undefined = not said. Amounts in the unit of the wire. */
export type ServiceRefund = {
  readonly id: string;
  readonly transactionId?: string | undefined;
  readonly amount?: number | undefined;
  readonly refundedAmount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly status?: OpenEnum<"pending" | "completed" | "failed"> | undefined;
  readonly reason?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
};

/** Null without a refund id. Reads the answer of POST, of GET and an item of a list. */
export function readRefund(answer: unknown): ServiceRefund | null {
  const found = unwrapObject(answer, ["refund_id"]);
  const id = found && stringField(found, "refund_id");
  if (!found || !id) return null;
  return {
    id,
    transactionId: stringField(found, "transaction_id"),
    amount: numberField(found, "amount"),
    refundedAmount: numberField(found, "refunded_amount"),
    currencyCode: stringField(found, "currency_code"),
    status: stringField(found, "status"),
    reason: stringField(found, "reason"),
    metadata: objectField(found, "metadata"),
    environment: stringField(found, "environment"),
    createdAt: timeField(found, "created_at"),
    updatedAt: timeField(found, "updated_at"),
  };
}
