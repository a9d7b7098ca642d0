/** Balances, refunds, direct charges, payment requests, payouts, settlements, subscriptions and disputes. */
export const moneySchema = `
create table balances (
  organization_id text not null, environment text not null, currency_code text not null,
  available integer not null, held integer not null, updated_at integer not null,
  primary key (organization_id, environment, currency_code)
) strict, without rowid;

create table refunds (
  seq integer primary key, refund_id text not null unique, transaction_id text not null, session_id text,
  organization_id text not null, environment text not null, membership_id text, account text, amount integer not null,
  currency_code text not null, reason text, status text not null, failure_message text,
  subscription_action text not null, metadata_json text not null, created_at integer not null, updated_at integer not null
) strict;
create index refunds_of_organization on refunds (organization_id, environment, seq);
create index refunds_of_transaction on refunds (transaction_id);

create table charges (
  seq integer primary key, charge_id text not null unique, organization_id text not null, environment text not null,
  membership_id text, account text, rail text not null, transaction_id text not null, details_json text not null,
  created_at integer not null
) strict;

create table payment_requests (
  seq integer primary key, request_id text not null unique, session_id text not null unique,
  organization_id text not null, environment text not null, created_by text not null, amount integer not null,
  currency_code text not null, customer_id text, description text, payment_reference text,
  metadata_json text not null, created_at integer not null
) strict;

create table payouts (
  seq integer primary key, payout_id text not null unique, organization_id text not null, environment text not null,
  kind text not null, rail text not null, amount integer not null, currency_code text not null,
  payout_method_id text, recipient_json text, reason text, status text not null,
  created_at integer not null, updated_at integer not null
) strict;

create table settlements (
  seq integer primary key, settlement_id text not null unique, organization_id text not null,
  environment text not null, mode text not null, amount integer not null, fee_amount integer not null,
  currency_code text not null, payout_id text, created_at integer not null
) strict;
create unique index settlements_of_payout on settlements (payout_id) where payout_id is not null;

create table confirmations (
  token text primary key, binding text not null, expires_at integer not null
) strict, without rowid;
create index confirmations_by_age on confirmations (expires_at);

create table subscriptions (
  seq integer primary key, subscription_id text not null unique, organization_id text not null,
  environment text not null, customer_id text not null, product_id text not null, price_id text not null,
  status text not null, amount integer not null, currency_code text not null, start_date text not null,
  end_date text, next_billing_date text, plan_name text not null, billing_interval text not null,
  cancel_at_period_end integer not null, metadata_json text not null,
  created_at integer not null, updated_at integer not null
) strict;
create index subscriptions_of_organization on subscriptions (organization_id, environment, status);

create table disputes (
  seq integer primary key, dispute_id text not null unique, transaction_id text not null, organization_id text not null,
  environment text not null, customer_id text, amount integer not null, currency_code text not null,
  reason text not null, status text not null, outcome text, evidence_due_by integer not null,
  metadata_json text not null, created_at integer not null, updated_at integer not null
) strict;
create index disputes_of_transaction on disputes (transaction_id);
`;
