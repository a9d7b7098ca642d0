import type { Currency } from "../domain/currencies.ts";
import type { Environment } from "../domain/environment.ts";
import type { DelegationColumns } from "./network-tables.ts";

export type SessionRow = DelegationColumns & {
  session_id: string;
  /** `cs_…`, the name of the session in the URL of its hosted page. */
  code: string;
  organization_id: string;
  environment: Environment;
  /** The id of the merchant that created the session. */
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
  /** See `SessionDetails`. */
  details_json: string;
};

export type TransactionStatus = "pending" | "completed" | "failed" | "refunded" | "expired" | "cancelled" | "held";

export type TransactionRow = DelegationColumns & {
  transaction_id: string;
  /** `txn_…` */
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
  /** What a pending payment awaits: the page of the bank, or the approval on the phone. */
  awaits: "challenge" | "approval" | null;
  /** The failure after an approved challenge. Null means that the approval completes the payment. */
  failure_after_challenge: string | null;
  /** The last four digits of card or phone. Other digits are never stored. */
  last_digits: string | null;
  /** The time when a pending payment completes automatically, or null. */
  completes_at: number | null;
  created_at: number;
  updated_at: number;
};

export type CustomerRow = DelegationColumns & {
  customer_id: string;
  /** `cus_…` */
  public_id: string;
  organization_id: string;
  environment: Environment;
  name: string | null;
  email: string | null;
  phone_number: string | null;
  whatsapp_number: string | null;
  /** Null means unknown. */
  is_business: number | null;
  /** See `Address`. */
  address_json: string;
  metadata_json: string | null;
  /** Name and e-mail address in lower case. */
  search_text: string;
  created_at: number;
  updated_at: number;
};
