import type { Migration } from "@tillkit/sql";

// Words of states stand here as text, not as constants: what a step means must not change when the code does.
export const FIRST_TABLES: Migration = {
  name: "0001-first-tables",
  sqlite: `
create table tillkit_payments (
  seq integer primary key,
  id text not null unique,
  store_id text not null,
  order_id text not null,
  attempt text not null,
  environment text not null,
  account text,
  credential_id text not null,
  created_at integer not null,
  owed_minor integer not null,
  owed_currency text not null,
  wire_amount integer not null,
  request text not null,
  reference text not null,
  session_id text unique,
  session_url text,
  session_expires_at integer,
  transaction_id text,
  state text not null,
  version integer not null,
  checks integer not null,
  next_check_at integer,
  store_write_at integer,
  continue_url text,
  finding text,
  waiver text
) strict;

create unique index tillkit_payments_one_payable on tillkit_payments (store_id, order_id)
  where state in ('intent', 'open');
create unique index tillkit_payments_one_paid on tillkit_payments (store_id, order_id)
  where state in ('verified', 'recorded');
create unique index tillkit_payments_one_payable_attempt on tillkit_payments (store_id, attempt)
  where attempt <> '' and state in ('intent', 'open');
create index tillkit_payments_of_order on tillkit_payments (store_id, order_id);
create index tillkit_payments_of_attempt on tillkit_payments (store_id, attempt) where attempt <> '';
create index tillkit_payments_of_transaction on tillkit_payments (transaction_id) where transaction_id is not null;
create index tillkit_payments_open on tillkit_payments (credential_id, created_at, seq)
  where state in ('intent', 'open', 'superseded', 'expired');

create table tillkit_refunds (
  seq integer primary key,
  key text not null unique,
  payment_id text not null,
  origin text not null,
  amount_minor integer not null,
  amount_currency text not null,
  request text not null,
  transaction_id text not null,
  state text not null,
  refund_id text
) strict;
create index tillkit_refunds_of_payment on tillkit_refunds (payment_id);

-- Autoincrement: the id of a job that was finished and deleted is never given to another.
create table tillkit_jobs (
  id integer primary key autoincrement,
  kind text not null,
  store_id text not null,
  payment_id text,
  payload text not null,
  due_at integer not null,
  ready_at integer,
  worker text,
  attempts integer not null,
  error text
) strict;
create index tillkit_jobs_of_store on tillkit_jobs (store_id, ready_at) where ready_at is not null;
create index tillkit_jobs_ready on tillkit_jobs (ready_at) where ready_at is not null;

create table tillkit_deliveries (
  endpoint_id text not null,
  digest text not null,
  body blob not null,
  received_at integer not null,
  primary key (endpoint_id, digest)
) strict;

create table tillkit_order_locks (
  store_id text not null,
  order_id text not null,
  fence integer not null,
  worker text not null,
  leased_until integer,
  primary key (store_id, order_id)
) strict;

create table tillkit_story (
  seq integer primary key,
  payment_id text,
  at integer not null,
  who text not null,
  what text not null,
  detail text not null
) strict;
create index tillkit_story_of_payment on tillkit_story (payment_id, at);

create table tillkit_records (
  store_id text not null,
  kind text not null,
  key text not null,
  value text not null,
  version integer not null,
  primary key (store_id, kind, key)
) strict;
`,
};
