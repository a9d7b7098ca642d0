import type { Dialect } from "../dialect.ts";

const jobs = ({ uniqueSequence, integer, key, table }: Dialect) => `
create table tillkit_jobs (
  id ${uniqueSequence},
  kind text not null,
  store_id ${key} not null,
  payment_id ${key},
  payload text not null,
  due_at ${integer} not null,
  ready_at ${integer},
  worker text,
  attempts integer not null,
  error_code text,
  error text,
  error_reason text,
  unique_key ${key},
  wait_ms ${integer} not null default 0
)${table};
create index tillkit_jobs_of_payment on tillkit_jobs (payment_id) where payment_id is not null;
create index tillkit_jobs_dead on tillkit_jobs (id) where ready_at is null;
`;

/**
 * The jobs about payments and the jobs of hosts are claimed apart, each in the order of these indexes. Without `id` at their end, PostgreSQL
 * reads and sorts the whole backlog for every claim.
 */
export const claimIndexes = `
create index tillkit_jobs_of_store on tillkit_jobs (store_id, ready_at, id) where ready_at is not null and unique_key is null;
create index tillkit_jobs_ready on tillkit_jobs (ready_at, id) where ready_at is not null and unique_key is null;
create index tillkit_host_jobs_of_store on tillkit_jobs (store_id, ready_at, id)
  where ready_at is not null and unique_key is not null;
create index tillkit_host_jobs_ready on tillkit_jobs (ready_at, id) where ready_at is not null and unique_key is not null;
`;

/** The keys of the jobs of hosts. */
export const jobKeys = ({ integer, key, table }: Dialect) => `
create table tillkit_job_keys (
  store_id ${key} not null,
  unique_key ${key} not null,
  payload text not null,
  done_since ${integer},
  primary key (store_id, unique_key)
)${table};
create index tillkit_job_keys_done on tillkit_job_keys (done_since) where done_since is not null;
`;

const deliveries = ({ integer, key, bytes, table }: Dialect) => `
create table tillkit_deliveries (
  endpoint_id ${key} not null,
  digest ${key} not null,
  body ${bytes} not null,
  received_at ${integer} not null,
  outcome text,
  payment_id ${key},
  processed_at ${integer},
  event text,
  event_at ${integer},
  attempts ${integer} not null default 0,
  transaction_id ${key},
  primary key (endpoint_id, digest)
)${table};
create index tillkit_deliveries_of_payment on tillkit_deliveries (payment_id) where payment_id is not null;
create index tillkit_deliveries_of_outcome on tillkit_deliveries (outcome, received_at);
create index tillkit_deliveries_to_prune on tillkit_deliveries (received_at)
  where outcome is not null and octet_length(body) > 0;
create index tillkit_deliveries_unmatched on tillkit_deliveries (transaction_id) where transaction_id is not null;
`;

const orderLocks = ({ integer, key, table }: Dialect) => `
create table tillkit_order_locks (
  store_id ${key} not null,
  order_id ${key} not null,
  fence ${integer} not null,
  worker text not null,
  leased_until ${integer},
  primary key (store_id, order_id)
)${table};
`;

const budgets = ({ integer, key, keyedTable }: Dialect) => `
create table tillkit_budgets (
  credential_id ${key} not null,
  name ${key} not null,
  window_started_at ${integer} not null,
  spent integer not null,
  primary key (credential_id, name)
)${keyedTable};
`;

/** What processes share to divide the work: jobs, webhooks, leases and call budgets. */
export function workTables(dialect: Dialect): string {
  return [
    jobs(dialect),
    claimIndexes,
    jobKeys(dialect),
    deliveries(dialect),
    orderLocks(dialect),
    budgets(dialect),
  ].join("");
}
