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

/** A payment request as the service returned it. Fields missing from the response are undefined. Amounts are as in API.md#amounts. */
export type PaymentRequest = {
  readonly id: string;
  readonly amount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly status?: OpenEnum<"pending" | "completed" | "failed" | "expired"> | undefined;
  /** URL of the hosted payment page. */
  readonly paymentLink?: string | undefined;
  readonly paymentReference?: string | undefined;
  readonly customerId?: string | undefined;
  readonly description?: string | undefined;
  /** In milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  /** In milliseconds since 1970. */
  readonly createdAt?: number | undefined;
};

/**
 * In this response, `request_id` is the ID of the payment request. The envelope can also have a `request_id`: the ID of the HTTP
 * request. So the payment request is recognized by its other fields.
 */
export function parsePaymentRequest(response: unknown): PaymentRequest | null {
  const fields = unwrapObject(response, ["payment_link", "expiry_date", "payment_reference"]);
  const id = fields && stringField(fields, "request_id");
  if (!fields || !id) return null;
  return {
    id,
    amount: numberField(fields, "amount"),
    currencyCode: stringField(fields, "currency_code"),
    status: enumField(fields, "status"),
    paymentLink: stringField(fields, "payment_link"),
    paymentReference: stringField(fields, "payment_reference"),
    customerId: stringField(fields, "customer_id"),
    description: stringField(fields, "description"),
    expiresAt: timeField(fields, "expiry_date"),
    metadata: objectField(fields, "metadata"),
    environment: enumField(fields, "environment"),
    createdAt: timeField(fields, "created_at"),
  };
}

/** A payout as the service returned it. Fields missing from the response are undefined. */
export type Payout = {
  readonly id: string;
  /** `withdrawal`: to the merchant. `beneficiary`: to another person. */
  readonly kind?: OpenEnum<"withdrawal" | "beneficiary"> | undefined;
  readonly status?: OpenEnum<"pending" | "processing" | "completed" | "failed"> | undefined;
};

export function parsePayout(response: unknown): Payout | null {
  const fields = unwrapObject(response, ["payout_id"]);
  const id = fields && stringField(fields, "payout_id");
  return fields && id ? { id, kind: enumField(fields, "kind"), status: enumField(fields, "status") } : null;
}

/** An instant settlement as the service returned it. Fields missing from the response are undefined. Amounts are as in API.md#amounts. */
export type InstantSettlement = {
  readonly id: string;
  /** `advance`: held card funds became available. `rail`: an existing payout was sped up for a fee. */
  readonly mode?: OpenEnum<"advance" | "rail"> | undefined;
  readonly amount?: number | undefined;
  readonly feeAmount?: number | undefined;
  readonly netAmount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly payoutId?: string | undefined;
  readonly status?: OpenEnum<"completed"> | undefined;
};

export function parseInstantSettlement(response: unknown): InstantSettlement | null {
  const fields = unwrapObject(response, ["instant_settlement_id"]);
  const id = fields && stringField(fields, "instant_settlement_id");
  if (!fields || !id) return null;
  return {
    id,
    mode: enumField(fields, "mode"),
    amount: numberField(fields, "amount"),
    feeAmount: numberField(fields, "fee_amount"),
    netAmount: numberField(fields, "net_amount"),
    currencyCode: stringField(fields, "currency_code"),
    payoutId: stringField(fields, "payout_id"),
    status: enumField(fields, "status"),
  };
}
