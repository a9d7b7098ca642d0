import type { Amount, ConfirmationToken, CurrencyCode, Metadata } from "./common.ts";

/**
 * Body of POST /payment-requests. The service's word "payment request" means a link that a customer can pay until it expires; as of
 * every body, the name of this one ends in `Request`.
 */
export type PaymentRequestRequest = {
  amount: Amount;
  currency_code: CurrencyCode;
  /** ISO 8601 time in the future. */
  expiry_date: string;
  /** At most 1000 characters. */
  description?: string | undefined;
  /** UUID of an existing customer. */
  customer_id?: string | undefined;
  /** Your own reference. */
  payment_reference?: string | undefined;
  metadata?: Metadata | undefined;
};

/** Body of POST /payouts: money from the balance to yourself or to somebody else. */
export type PayoutRequest = {
  /** `self` needs `payout_method_id`, `beneficiary` needs `recipient`. */
  destination: "self" | "beneficiary";
  rail: "wave" | "mtn" | "bank" | "spi";
  amount: Amount;
  currency_code: CurrencyCode;
  /** UUID of one of your payout methods. */
  payout_method_id?: string | undefined;
  /** `phone` as the rail needs it, E.164 for mobile money. */
  recipient?: { name: string; phone: string } | undefined;
  reason?: string | undefined;
  confirmation_token?: ConfirmationToken | undefined;
};

/** Body of POST /settlements/instant. */
export type InstantSettlementRequest = {
  /** `rail` needs `payout_id`. */
  mode: "advance" | "rail";
  amount: Amount;
  currency_code: CurrencyCode;
  /** UUID of a payout. */
  payout_id?: string | undefined;
  confirmation_token?: ConfirmationToken | undefined;
};
