import type { MigrationHistory } from "@tillkit/sql";
import { merchantSettingsColumn } from "./merchant-settings-migration.ts";
import { moneyTables } from "./money-migration.ts";
import { networkTables } from "./network-migration.ts";

const first = `
create table meta (name text primary key, value text not null) strict, without rowid;

create table organizations (
  organization_id text primary key, merchant_id text not null, name text not null, status text not null,
  default_currency text not null, created_at integer not null
) strict;

create table api_keys (
  key text primary key, organization_id text not null, environment text not null, kind text not null
) strict, without rowid;

create table sessions (
  seq integer primary key, session_id text not null unique, code text not null unique,
  organization_id text not null, environment text not null, created_by text not null, status text not null,
  amount integer not null, currency_code text not null, customer_id text, transaction_id text,
  expires_at integer not null, created_at integer not null, updated_at integer not null, terms_json text not null
) strict;
create index sessions_of_organization on sessions (organization_id, environment, seq);
create index sessions_to_expire on sessions (expires_at) where status = 'open';

create table transactions (
  seq integer primary key, transaction_id text not null unique, public_id text not null unique, session_id text,
  organization_id text not null, environment text not null, customer_id text, status text not null,
  provider_code text not null, payment_method_code text not null, description text, quantity integer not null,
  gross_amount integer not null, fee_amount integer not null, net_amount integer not null,
  refunded_amount integer not null, currency_code text not null, metadata_json text not null,
  failure_code text, failure_message text, waits_for text, after_challenge text, last_digits text, completes_at integer,
  created_at integer not null, updated_at integer not null
) strict;
create index transactions_of_organization on transactions (organization_id, environment, seq);
create index transactions_of_session on transactions (session_id, seq);
create index transactions_to_complete on transactions (completes_at) where status = 'pending' and completes_at is not null;

create table customers (
  seq integer primary key, customer_id text not null unique, public_id text not null unique,
  organization_id text not null, environment text not null, name text, email text, phone_number text,
  address_json text not null, created_at integer not null, updated_at integer not null
) strict;
create index customers_by_email on customers (organization_id, environment, email);
create index customers_by_phone on customers (organization_id, environment, phone_number);

create table webhook_endpoints (
  seq integer primary key, webhook_id text not null unique, organization_id text not null, environment text not null,
  created_by text not null, url text not null, is_active integer not null, authorized_events_json text not null,
  metadata_json text not null, description text, secret text not null, previous_secret text, rotated_at integer,
  last_triggered_at integer, last_response_status integer, last_response_body text, retry_count integer not null,
  created_at integer not null, updated_at integer not null
) strict;
create index endpoints_of_organization on webhook_endpoints (organization_id, environment, seq);

create table events (
  seq integer primary key, event_id text not null unique, organization_id text not null, environment text not null,
  event text not null, session_id text, transaction_id text, data_json text not null, created_at integer not null
) strict;
create index events_of_session on events (session_id, seq);

create table deliveries (
  seq integer primary key, delivery_id text not null unique, event_id text not null, webhook_id text not null,
  state text not null, attempts integer not null, due_at integer not null, held integer not null,
  created_at integer not null
) strict;
create index deliveries_of_event on deliveries (event_id);
create index deliveries_due on deliveries (due_at) where state = 'waiting';

create table delivery_logs (
  seq integer primary key, log_id text not null unique, delivery_id text not null, webhook_id text not null,
  organization_id text not null, environment text not null, event_type text not null, event_id text not null,
  payload text not null, headers_json text not null, response_status integer, response_body text,
  attempt_number integer not null, success integer not null, error text, request_duration_ms integer not null,
  created_at integer not null
) strict;
create index logs_of_delivery on delivery_logs (delivery_id, seq);
create index logs_of_endpoint on delivery_logs (webhook_id, seq);

create table idempotency (
  scope text not null, key text not null, fingerprint text not null, status integer not null, body text not null,
  request_id text not null, created_at integer not null, primary key (scope, key)
) strict;
create index idempotency_by_age on idempotency (created_at);
`;

export const migrations: MigrationHistory = {
  owner: "sandbox",
  steps: [
    { name: "001-first", sqlite: first },
    { name: "002-network", sqlite: networkTables },
    { name: "003-money", sqlite: moneyTables },
    { name: "004-merchant-settings", sqlite: merchantSettingsColumn },
  ],
};
