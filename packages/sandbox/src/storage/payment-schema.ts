/** Organizations with their keys, checkout sessions, transactions, customers, and the responses stored by Idempotency-Key. */
export const paymentSchema = `
create table meta (name text primary key, value text not null) strict, without rowid;

create table organizations (
  organization_id text primary key, merchant_id text not null, name text not null, status text not null,
  default_currency text not null, created_at integer not null, updated_at integer, settings_json text
) strict;

create table api_keys (
  key text primary key, organization_id text not null, environment text not null, kind text not null
) strict, without rowid;

create table sessions (
  seq integer primary key, session_id text not null unique, code text not null unique,
  organization_id text not null, environment text not null, membership_id text, account text,
  created_by text not null, status text not null, amount integer not null, currency_code text not null,
  customer_id text, transaction_id text, payment_request_id text, expires_at integer not null,
  created_at integer not null, updated_at integer not null, details_json text not null
) strict;
create index sessions_of_organization on sessions (organization_id, environment, seq);
create index sessions_to_expire on sessions (expires_at) where status = 'open';

create table transactions (
  seq integer primary key, transaction_id text not null unique, public_id text not null unique, session_id text,
  organization_id text not null, environment text not null, membership_id text, account text, customer_id text,
  subscription_id text, status text not null, provider_code text not null, payment_method_code text not null,
  description text, quantity integer not null, gross_amount integer not null, fee_amount integer not null,
  net_amount integer not null, refunded_amount integer not null, currency_code text not null,
  metadata_json text not null, failure_code text, failure_message text, awaits text, failure_after_challenge text,
  last_digits text, completes_at integer, created_at integer not null, updated_at integer not null
) strict;
create index transactions_of_organization on transactions (organization_id, environment, seq);
create index transactions_of_session on transactions (session_id, seq);
create index transactions_of_customer on transactions (customer_id, seq);
create index transactions_of_membership on transactions (membership_id, customer_id) where membership_id is not null;
create index transactions_to_complete on transactions (completes_at) where status = 'pending' and completes_at is not null;

create table customers (
  seq integer primary key, customer_id text not null unique, public_id text not null unique,
  organization_id text not null, environment text not null, membership_id text, account text, name text, email text,
  phone_number text, whatsapp_number text, is_business integer, address_json text not null, metadata_json text,
  search_text text not null, created_at integer not null, updated_at integer not null
) strict;
create index customers_by_email on customers (organization_id, environment, email);
create index customers_by_phone on customers (organization_id, environment, phone_number);
create index customers_of_organization on customers (organization_id, environment, seq);

create table idempotency (
  scope text not null, key text not null, fingerprint text not null, status integer not null, body text not null,
  request_id text not null, created_at integer not null, primary key (scope, key)
) strict;
create index idempotency_by_age on idempotency (created_at);
`;
