import type { Dialect } from "../dialect.ts";

const payments = ({ sequence, integer, key, table }: Dialect) => `
create table tillkit_payments (
  sequence ${sequence},
  id ${key} not null unique,
  store_id ${key} not null,
  order_id ${key} not null,
  attempt ${key} not null,
  order_number ${key} not null default '',
  environment text not null,
  account text,
  credential_id ${key} not null,
  created_at ${integer} not null,
  amount_due_minor ${integer} not null,
  amount_due_currency text not null,
  wire_amount ${integer} not null,
  amount_received_minor ${integer},
  amount_received_currency text,
  request text not null,
  reference text not null,
  session_id ${key} unique,
  session_url text,
  session_expires_at ${integer},
  session_code ${key},
  transaction_id ${key},
  transaction_code ${key},
  customer_id ${key},
  method ${key},
  wire_fee ${integer},
  wire_net ${integer},
  succeeded_at ${integer},
  recorded_at ${integer},
  state text not null,
  version integer not null,
  checks integer not null,
  next_check_at ${integer},
  store_write_at ${integer},
  store_tries integer not null,
  store_retry_at ${integer},
  finding text,
  waiver text,
  lost_to_dispute integer not null default 0,
  traceparent text,
  sum_currency text,
  sum_received ${integer} not null default 0,
  sum_returned ${integer} not null default 0,
  sum_leaving ${integer} not null default 0,
  sum_disputed ${integer} not null default 0
)${table};
`;

// States are literal text instead of constants, because the meaning of a migration must not change with the code. The index
// `tillkit_payments_by_time` alone answers lists that filter by several values, and the figures of a period. `sum_currency` is null
// only in a payment of an older schema whose equation is not stored yet.
const paymentIndexes = `
create unique index tillkit_payments_one_payable on tillkit_payments (store_id, order_id)
  where state in ('intent', 'open');
create unique index tillkit_payments_one_paid on tillkit_payments (store_id, order_id)
  where state in ('verified', 'recorded') and lost_to_dispute = 0;
create unique index tillkit_payments_one_payable_attempt on tillkit_payments (store_id, attempt)
  where attempt <> '' and state in ('intent', 'open');
create index tillkit_payments_of_order on tillkit_payments (store_id, order_id);
create index tillkit_payments_of_order_id on tillkit_payments (order_id);
create index tillkit_payments_of_order_number on tillkit_payments (order_number);
create index tillkit_payments_of_attempt on tillkit_payments (store_id, attempt) where attempt <> '';
create index tillkit_payments_of_session_code on tillkit_payments (session_code) where session_code is not null;
create index tillkit_payments_of_transaction on tillkit_payments (transaction_id) where transaction_id is not null;
create index tillkit_payments_of_transaction_code on tillkit_payments (transaction_code)
  where transaction_code is not null;
create index tillkit_payments_of_customer on tillkit_payments (customer_id) where customer_id is not null;
create index tillkit_payments_of_state on tillkit_payments (state, created_at, sequence);
create index tillkit_payments_of_store on tillkit_payments (store_id, state, created_at, sequence);
create index tillkit_payments_by_time on tillkit_payments (created_at, sequence, store_id, environment, state,
  amount_due_currency, amount_due_minor, method);
create index tillkit_payments_open on tillkit_payments (credential_id, created_at, sequence)
  where state in ('intent', 'open', 'superseded', 'expired');
create index tillkit_payments_to_prune on tillkit_payments (created_at)
  where state in ('recorded', 'refunded', 'closed') and request <> '';
create index tillkit_payments_without_sums on tillkit_payments (sequence) where sum_currency is null;
`;

const transactions = ({ sequence, integer, key, table }: Dialect) => `
create table tillkit_transactions (
  sequence ${sequence},
  payment_id ${key} not null,
  id ${key} not null,
  position ${integer} not null default 0,
  code ${key},
  amount_minor ${integer} not null,
  amount_currency text not null,
  is_read integer not null,
  evidence text not null,
  at ${integer} not null,
  unique (payment_id, id)
)${table};
create index tillkit_transactions_of_id on tillkit_transactions (id);
create index tillkit_transactions_further on tillkit_transactions (payment_id, sequence) where position > 0;
create index tillkit_transactions_of_code on tillkit_transactions (code) where code is not null;
`;

const refunds = ({ sequence, integer, key, table }: Dialect) => `
create table tillkit_refunds (
  sequence ${sequence},
  key ${key} not null unique,
  payment_id ${key} not null,
  credential_id ${key} not null default '',
  origin text not null,
  amount_minor ${integer} not null,
  amount_currency text not null,
  request text not null,
  transaction_id ${key} not null,
  state text not null,
  refund_id text,
  requested_at ${integer} not null,
  read_only_since ${integer},
  mark text,
  mark_read_at ${integer},
  unmarked_key text,
  other_keys text not null
)${table};
create index tillkit_refunds_of_payment on tillkit_refunds (payment_id);
create index tillkit_refunds_by_time on tillkit_refunds (requested_at, sequence);
create index tillkit_refunds_marks_read on tillkit_refunds (credential_id, mark_read_at) where mark_read_at is not null;
create index tillkit_refunds_marks_refused on tillkit_refunds (credential_id, requested_at)
  where unmarked_key is not null;
`;

const disputes = ({ sequence, integer, key, table }: Dialect) => `
create table tillkit_disputes (
  sequence ${sequence},
  id ${key} not null unique,
  payment_id ${key} not null,
  transaction_id ${key},
  amount_minor ${integer},
  amount_currency text,
  reason text not null,
  status text not null,
  outcome text,
  evidence_due_by ${integer},
  opened_at ${integer} not null,
  updated_at ${integer} not null,
  is_open integer not null
)${table};
create index tillkit_disputes_of_payment on tillkit_disputes (payment_id);
create index tillkit_disputes_open_first on tillkit_disputes (is_open, opened_at, sequence);
`;

/** Payments, and the money that moved for them. */
export function paymentTables(dialect: Dialect): string {
  return [payments(dialect), paymentIndexes, transactions(dialect), refunds(dialect), disputes(dialect)].join("");
}
