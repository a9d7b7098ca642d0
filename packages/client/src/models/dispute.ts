import {
  enumField,
  type JsonObject,
  numberField,
  type OpenEnum,
  objectField,
  stringField,
  timeField,
  unwrapObject,
} from "./json-fields.ts";

/**
 * A dispute of a card payment as an event carries it (API.md#events); the API has no call that returns a dispute. Fields missing from
 * the event are undefined. Amounts are in the unit of the API, times in milliseconds since 1970.
 */
export type ServiceDispute = {
  readonly id: string;
  readonly transactionId?: string | undefined;
  readonly customerId?: string | undefined;
  /** The disputed amount. */
  readonly amount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly reason?: string | undefined;
  readonly status?: OpenEnum<"pending" | "resolved" | "closed"> | undefined;
  /** Undefined until the dispute is decided. */
  readonly outcome?: OpenEnum<"won" | "lost"> | undefined;
  /** The last moment for evidence. */
  readonly evidenceDueBy?: number | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
};

/** Null without a dispute ID. */
export function parseDispute(resource: unknown): ServiceDispute | null {
  const fields = unwrapObject(resource, ["dispute_id"]);
  const id = fields && stringField(fields, "dispute_id");
  if (!fields || !id) return null;
  return {
    id,
    transactionId: stringField(fields, "transaction_id"),
    customerId: stringField(fields, "customer_id"),
    amount: numberField(fields, "amount"),
    currencyCode: stringField(fields, "currency_code"),
    reason: stringField(fields, "reason"),
    status: enumField(fields, "status"),
    outcome: enumField(fields, "outcome"),
    evidenceDueBy: timeField(fields, "evidence_due_by"),
    metadata: objectField(fields, "metadata"),
    environment: enumField(fields, "environment"),
    createdAt: timeField(fields, "created_at"),
    updatedAt: timeField(fields, "updated_at"),
  };
}
