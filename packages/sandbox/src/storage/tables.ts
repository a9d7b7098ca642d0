import type { Generated } from "kysely";
import type { Delegated, NetworkTables } from "../network/tables.ts";
import type { Currency } from "../service/currencies.ts";
import type { MoneyTables } from "./money-tables.ts";

export type Environment = "test" | "live";

/** Times are milliseconds since 1970, booleans 0 or 1, and columns named `…_json` hold JSON text. `seq` orders newest first. */
export type Tables = NetworkTables &
  MoneyTables & {
    meta: { name: string; value: string };
    organizations: OrganizationRow;
    api_keys: ApiKeyRow;
    sessions: SessionRow & { seq: Generated<number> };
    transactions: TransactionRow & { seq: Generated<number> };
    customers: CustomerRow & { seq: Generated<number> };
    webhook_endpoints: EndpointRow & { seq: Generated<number> };
    events: EventRow & { seq: Generated<number> };
    deliveries: DeliveryRow & { seq: Generated<number> };
    delivery_logs: DeliveryLogRow & { seq: Generated<number> };
    idempotency: IdempotencyRow;
  };

export type OrganizationRow = {
  organization_id: string;
  merchant_id: string;
  name: string;
  status: "active" | "suspended";
  default_currency: Currency;
  created_at: number;
  /** Null: never changed. */
  updated_at: number | null;
  /** What the merchant set for itself; null: nothing. */
  settings_json: string | null;
};

export type ApiKeyRow = {
  key: string;
  organization_id: string;
  environment: Environment;
  kind: "secret" | "publishable";
};

export type SessionRow = Delegated & {
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
  terms_json: string;
};

export type TransactionStatus = "pending" | "completed" | "failed" | "refunded" | "expired" | "cancelled" | "held";

export type TransactionRow = Delegated & {
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
  waits_for: "challenge" | "approval" | null;
  /** A failure code that follows even a passed challenge; null: passing it completes the payment. */
  after_challenge: string | null;
  /** The last four digits of card or telephone: all that is ever kept of them here. */
  last_digits: string | null;
  /** When a pending payment completes by itself; null: never. */
  completes_at: number | null;
  created_at: number;
  updated_at: number;
};

export type CustomerRow = Delegated & {
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

export type EndpointRow = {
  webhook_id: string;
  organization_id: string;
  environment: Environment;
  created_by: string;
  url: string;
  is_active: number;
  authorized_events_json: string;
  metadata_json: string;
  description: string | null;
  secret: string;
  previous_secret: string | null;
  rotated_at: number | null;
  last_triggered_at: number | null;
  last_response_status: number | null;
  last_response_body: string | null;
  retry_count: number;
  created_at: number;
  updated_at: number;
};

export type EventRow = Delegated & {
  event_id: string;
  organization_id: string;
  environment: Environment;
  event: string;
  session_id: string | null;
  transaction_id: string | null;
  /** `data` of the envelope as it was when the event happened. */
  data_json: string;
  created_at: number;
};

export type DeliveryRow = {
  delivery_id: string;
  event_id: string;
  webhook_id: string;
  state: "waiting" | "delivered" | "failed" | "dropped";
  attempts: number;
  /** When the next attempt is due, by the sandbox's clock. */
  due_at: number;
  /** 1: kept back by the switch `delivery.reorder` until a later event has overtaken it. */
  held: number;
  created_at: number;
};

export type DeliveryLogRow = {
  log_id: string;
  delivery_id: string;
  webhook_id: string;
  organization_id: string;
  environment: Environment;
  event_type: string;
  event_id: string;
  /** The very bytes that were sent. */
  payload: string;
  headers_json: string;
  response_status: number | null;
  response_body: string | null;
  attempt_number: number;
  success: number;
  error: "timeout" | "network_error" | "blocked_webhook_url" | null;
  request_duration_ms: number;
  created_at: number;
};

export type IdempotencyRow = {
  scope: string;
  key: string;
  fingerprint: string;
  status: number;
  body: string;
  request_id: string;
  created_at: number;
};
