import type { Currency } from "../domain/currencies.ts";
import type { Environment } from "../domain/environment.ts";
import type { DelegationColumns } from "./network-tables.ts";

export type SessionRow = DelegationColumns & {
  session_id: string;
  code: string;
  organization_id: string;
  environment: Environment;
  created_by: string;
  status: "open" | "completed" | "expired";
  amount: number;
  currency_code: Currency;
  customer_id: string | null;
  transaction_id: string | null;
  /** Set when the session is the hosted page of a payment request. */
  payment_request_id: string | null;
  expires_at: number;
  created_at: number;
  updated_at: number;
  /** What the merchant sent and nothing changes later: see `SessionTerms`. */
  details_json: string;
};

export type TransactionStatus = "pending" | "completed" | "failed" | "refunded" | "expired" | "cancelled" | "held";

export type TransactionRow = DelegationColumns & {
  transaction_id: string;
  public_id: string;
  session_id: string | null;
  organization_id: string;
  environment: Environment;
  customer_id: string | null;
  subscription_id: string | null;
  status: TransactionStatus;
  provider_code: "CARD" | "WAVE" | "MTN";
  payment_method_code: "CARDS" | "MOBILE_MONEY";
  description: string | null;
  quantity: number;
  gross_amount: number;
  fee_amount: number;
  net_amount: number;
  refunded_amount: number;
  currency_code: Currency;
  metadata_json: string;
  failure_code: string | null;
  failure_message: string | null;
  /** What a pending payment waits for: the bank's page, or the customer's telephone. */
  awaits: "challenge" | "approval" | null;
  /** A failure code that follows even a passed challenge; null: passing it completes the payment. */
  failure_after_challenge: string | null;
  /** The last four digits of card or telephone: all that is ever kept of them here. */
  last_digits: string | null;
  /** When a pending payment completes by itself; null: never. */
  completes_at: number | null;
  created_at: number;
  updated_at: number;
};

export type CustomerRow = DelegationColumns & {
  customer_id: string;
  public_id: string;
  organization_id: string;
  environment: Environment;
  name: string | null;
  email: string | null;
  phone_number: string | null;
  whatsapp_number: string | null;
  /** Null: nobody said. */
  is_business: number | null;
  /** See `Address`. */
  address_json: string;
  metadata_json: string | null;
  /** Name and e-mail address in small letters. */
  search_text: string;
  created_at: number;
  updated_at: number;
};
