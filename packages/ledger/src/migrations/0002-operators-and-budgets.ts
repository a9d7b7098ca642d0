import type { Migration } from "@tillkit/sql";

/** A platform's own retry schedule; what came of each delivery; calls to the service that several processes share. */
export const OPERATORS_AND_BUDGETS: Migration = {
  name: "0002-operators-and-budgets",
  sqlite: `
alter table tillkit_payments add column store_tries integer not null default 0;
alter table tillkit_payments add column store_retry_at integer;
create index tillkit_payments_of_state on tillkit_payments (state, created_at, seq);
create index tillkit_payments_of_store on tillkit_payments (store_id, state, created_at, seq);
create index tillkit_payments_of_order_id on tillkit_payments (order_id);
create index tillkit_payments_to_prune on tillkit_payments (created_at)
  where state in ('recorded', 'refunded', 'closed') and request <> '';

alter table tillkit_deliveries add column outcome text;
alter table tillkit_deliveries add column payment_id text;
alter table tillkit_deliveries add column heard_at integer;
create index tillkit_deliveries_of_payment on tillkit_deliveries (payment_id) where payment_id is not null;
create index tillkit_deliveries_of_outcome on tillkit_deliveries (outcome, received_at);
create index tillkit_deliveries_to_prune on tillkit_deliveries (received_at)
  where outcome is not null and octet_length(body) > 0;
-- The job of a delivery is deleted when it was done.
update tillkit_deliveries set outcome = 'heard', heard_at = received_at
  where '{"endpointId":"' || endpoint_id || '","digest":"' || digest || '"}' not in
    (select payload from tillkit_jobs where kind = 'delivery');

create index tillkit_jobs_of_payment on tillkit_jobs (payment_id) where payment_id is not null;
create index tillkit_jobs_dead on tillkit_jobs (id) where ready_at is null;

create table tillkit_budgets (
  credential_id text not null,
  name text not null,
  began_at integer not null,
  spent integer not null,
  primary key (credential_id, name)
) strict, without rowid;
`,
  postgres: `
alter table tillkit_payments add column store_tries integer not null default 0;
alter table tillkit_payments add column store_retry_at bigint;
create index tillkit_payments_of_state on tillkit_payments (state, created_at, seq);
create index tillkit_payments_of_store on tillkit_payments (store_id, state, created_at, seq);
create index tillkit_payments_of_order_id on tillkit_payments (order_id);
create index tillkit_payments_to_prune on tillkit_payments (created_at)
  where state in ('recorded', 'refunded', 'closed') and request <> '';

alter table tillkit_deliveries add column outcome text;
alter table tillkit_deliveries add column payment_id text collate "C";
alter table tillkit_deliveries add column heard_at bigint;
create index tillkit_deliveries_of_payment on tillkit_deliveries (payment_id) where payment_id is not null;
create index tillkit_deliveries_of_outcome on tillkit_deliveries (outcome, received_at);
create index tillkit_deliveries_to_prune on tillkit_deliveries (received_at)
  where outcome is not null and octet_length(body) > 0;
-- The job of a delivery is deleted when it was done.
update tillkit_deliveries set outcome = 'heard', heard_at = received_at
  where '{"endpointId":"' || endpoint_id || '","digest":"' || digest || '"}' not in
    (select payload from tillkit_jobs where kind = 'delivery');

create index tillkit_jobs_of_payment on tillkit_jobs (payment_id) where payment_id is not null;
create index tillkit_jobs_dead on tillkit_jobs (id) where ready_at is null;

create table tillkit_budgets (
  credential_id text collate "C" not null,
  name text collate "C" not null,
  began_at bigint not null,
  spent integer not null,
  primary key (credential_id, name)
);
`,
};
