import { instant, type Known, number, type Row, row, text } from "./fields.ts";
import { unwrapOne } from "./unwrap.ts";

/** A payment request as an answer showed it; undefined = not said. */
export type PaymentRequest = {
  readonly id: string;
  readonly amount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly status?: Known<"pending" | "completed" | "failed" | "expired"> | undefined;
  /** The hosted page. */
  readonly paymentLink?: string | undefined;
  readonly paymentReference?: string | undefined;
  readonly customerId?: string | undefined;
  readonly description?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly metadata?: Row | undefined;
  readonly environment?: Known<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
};

/** The `request_id` of a payment request is its own id, not that of the HTTP request. */
export function readPaymentRequest(answer: unknown): PaymentRequest | null {
  const found = unwrapOne(answer, ["payment_link", "expiry_date", "payment_reference"]);
  const id = found && text(found, "request_id");
  if (!found || !id) return null;
  return {
    id,
    amount: number(found, "amount"),
    currencyCode: text(found, "currency_code"),
    status: text(found, "status"),
    paymentLink: text(found, "payment_link"),
    paymentReference: text(found, "payment_reference"),
    customerId: text(found, "customer_id"),
    description: text(found, "description"),
    expiresAt: instant(found, "expiry_date"),
    metadata: row(found, "metadata"),
    environment: text(found, "environment"),
    createdAt: instant(found, "created_at"),
  };
}

export type Payout = {
  readonly id: string;
  readonly kind?: Known<"withdrawal" | "beneficiary"> | undefined;
  readonly status?: Known<"pending" | "processing" | "completed" | "failed"> | undefined;
};

export function readPayout(answer: unknown): Payout | null {
  const found = unwrapOne(answer, ["payout_id"]);
  const id = found && text(found, "payout_id");
  return found && id ? { id, kind: text(found, "kind"), status: text(found, "status") } : null;
}

export type InstantSettlement = {
  readonly id: string;
  readonly mode?: Known<"advance" | "rail"> | undefined;
  readonly amount?: number | undefined;
  readonly feeAmount?: number | undefined;
  readonly netAmount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly payoutId?: string | undefined;
  readonly status?: Known<"completed"> | undefined;
};

export function readInstantSettlement(answer: unknown): InstantSettlement | null {
  const found = unwrapOne(answer, ["instant_settlement_id"]);
  const id = found && text(found, "instant_settlement_id");
  if (!found || !id) return null;
  return {
    id,
    mode: text(found, "mode"),
    amount: number(found, "amount"),
    feeAmount: number(found, "fee_amount"),
    netAmount: number(found, "net_amount"),
    currencyCode: text(found, "currency_code"),
    payoutId: text(found, "payout_id"),
    status: text(found, "status"),
  };
}
