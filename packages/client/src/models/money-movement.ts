import { type JsonObject, numberField, type OpenEnum, objectField, stringField, timeField } from "./json-fields.ts";
import { unwrapObject } from "./unwrap.ts";

/** A payment request as an answer showed it; undefined = not said. */
export type PaymentRequest = {
  readonly id: string;
  readonly amount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly status?: OpenEnum<"pending" | "completed" | "failed" | "expired"> | undefined;
  /** The hosted page. */
  readonly paymentLink?: string | undefined;
  readonly paymentReference?: string | undefined;
  readonly customerId?: string | undefined;
  readonly description?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
};

/** The `request_id` of a payment request is its own id, not that of the HTTP request. */
export function readPaymentRequest(answer: unknown): PaymentRequest | null {
  const found = unwrapObject(answer, ["payment_link", "expiry_date", "payment_reference"]);
  const id = found && stringField(found, "request_id");
  if (!found || !id) return null;
  return {
    id,
    amount: numberField(found, "amount"),
    currencyCode: stringField(found, "currency_code"),
    status: stringField(found, "status"),
    paymentLink: stringField(found, "payment_link"),
    paymentReference: stringField(found, "payment_reference"),
    customerId: stringField(found, "customer_id"),
    description: stringField(found, "description"),
    expiresAt: timeField(found, "expiry_date"),
    metadata: objectField(found, "metadata"),
    environment: stringField(found, "environment"),
    createdAt: timeField(found, "created_at"),
  };
}

export type Payout = {
  readonly id: string;
  readonly kind?: OpenEnum<"withdrawal" | "beneficiary"> | undefined;
  readonly status?: OpenEnum<"pending" | "processing" | "completed" | "failed"> | undefined;
};

export function readPayout(answer: unknown): Payout | null {
  const found = unwrapObject(answer, ["payout_id"]);
  const id = found && stringField(found, "payout_id");
  return found && id ? { id, kind: stringField(found, "kind"), status: stringField(found, "status") } : null;
}

export type InstantSettlement = {
  readonly id: string;
  readonly mode?: OpenEnum<"advance" | "rail"> | undefined;
  readonly amount?: number | undefined;
  readonly feeAmount?: number | undefined;
  readonly netAmount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly payoutId?: string | undefined;
  readonly status?: OpenEnum<"completed"> | undefined;
};

export function readInstantSettlement(answer: unknown): InstantSettlement | null {
  const found = unwrapObject(answer, ["instant_settlement_id"]);
  const id = found && stringField(found, "instant_settlement_id");
  if (!found || !id) return null;
  return {
    id,
    mode: stringField(found, "mode"),
    amount: numberField(found, "amount"),
    feeAmount: numberField(found, "fee_amount"),
    netAmount: numberField(found, "net_amount"),
    currencyCode: stringField(found, "currency_code"),
    payoutId: stringField(found, "payout_id"),
    status: stringField(found, "status"),
  };
}
