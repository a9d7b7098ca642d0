import type { Upgrade } from "@tillkit/sql";
import { type Dialect, forBoth } from "./dialect.ts";
import { figureTriggers, SUMS } from "./first-schema/figure-tables.ts";
import { credentialTables } from "./first-schema/record-tables.ts";
import { claimIndexes, jobKeys } from "./first-schema/work-tables.ts";

const TASKS = "('shopify-webhook', 'shopify-modification')";
/** The outbox kept an entry for each due time of a task. */
const TASKS_AND_ENTRIES =
  "('shopify-webhook', 'shopify-modification', 'shopify-webhook-due', 'shopify-modification-due')";

/** No task of the outbox waited longer: 12 hours, until the data of a shop that left can be erased. */
const LONGEST_WAIT_MS = 43_200_000;

const FORMER_NAMES = [
  "0001-first-tables",
  "0002-order-numbers",
  "0003-what-operators-read",
  "0004-payment-hours",
  "0005-traceparents",
  "0006-movements",
];

/** The tables of the last version that had an outbox, which may hold unfinished work. */
export const FROM_0006: Upgrade = { from: FORMER_NAMES, ...forBoth(upgrade) };

/** Never released: its tables are those of the first schema already. */
export const FROM_0011: Upgrade = {
  from: [
    ...FORMER_NAMES,
    "0007-payment-sums",
    "0008-unmatched-deliveries",
    "0009-host-jobs",
    "0010-credentials",
    "0011-job-reasons",
  ],
  ...forBoth(() => ""),
};

// The credentials, which were encrypted records, are not moved here: only a process with the encryption keys can read their stores and
// endpoints, so `moveCredentials` moves them.
function upgrade(dialect: Dialect): string {
  const { key } = dialect;
  return [
    sumsOfPayments(dialect),
    `
alter table tillkit_payments drop column continue_url;
alter table tillkit_deliveries add column transaction_id ${key};
create index tillkit_deliveries_unmatched on tillkit_deliveries (transaction_id) where transaction_id is not null;
alter table tillkit_jobs add column error_reason text;
`,
    hostJobs(dialect),
    credentialTables(dialect),
    whoNamedTransactions(dialect),
  ].join("");
}

/**
 * The figures counted the amounts due. Now they count what the equation of each payment says, which only code can compute: until the
 * ledger has done so, `sum_currency` is null. Payments without any money need no equation. The triggers come last, so that they log
 * nothing of this migration.
 */
function sumsOfPayments(dialect: Dialect): string {
  const addSums = (table: string, prefix: string) =>
    SUMS.map((sum) => `alter table ${table} add column ${prefix}${sum} ${dialect.integer} not null default 0;`);
  return `
${dropTriggers(dialect)}
alter table tillkit_payments add column sum_currency text;
${addSums("tillkit_payments", "sum_").join("\n")}
update tillkit_payments set sum_currency = amount_due_currency
  where state in ('intent', 'open', 'expired', 'closed', 'superseded') and amount_received_minor is null
    and not exists (select 1 from tillkit_transactions where payment_id = tillkit_payments.id)
    and not exists (select 1 from tillkit_refunds where payment_id = tillkit_payments.id)
    and not exists (select 1 from tillkit_disputes where payment_id = tillkit_payments.id);
create index tillkit_payments_without_sums on tillkit_payments (sequence) where sum_currency is null;
alter table tillkit_payment_changes drop column amount;
alter table tillkit_payment_hours drop column amount;
${addSums("tillkit_payment_changes", "").join("\n")}
${addSums("tillkit_payment_hours", "").join("\n")}
${figureTriggers(dialect)}`;
}

function dropTriggers({ isSqlite }: Dialect): string {
  const names = isSqlite ? ["added", "changed", "removed"] : ["added_or_removed", "changed"];
  const owner = isSqlite ? "" : " on tillkit_payments";
  return names.map((name) => `drop trigger tillkit_payment_${name}${owner};`).join("\n");
}

/**
 * The tasks of the outbox become jobs of hosts. A process of the older version may go on while this version starts: its task is
 * accepted, so a trigger turns it into a job as well.
 */
function hostJobs(dialect: Dialect): string {
  return `
alter table tillkit_jobs add column unique_key ${dialect.key};
alter table tillkit_jobs add column wait_ms ${dialect.integer} not null default 0;
drop index tillkit_jobs_of_store;
drop index tillkit_jobs_ready;
${claimIndexes}
${jobKeys(dialect)}
${moveTasks(dialect, "task", "from tillkit_records task")}
delete from tillkit_records where kind in ${TASKS_AND_ENTRIES};
${moveLaterTasks(dialect)}`;
}

/**
 * `row` names a row of `tillkit_records`, which `from` selects. The outbox stored neither how long a task waits nor since when it waits
 * for a person.
 */
function moveTasks({ isSqlite }: Dialect, row: "task" | "new", from: string): string {
  const field = (name: string) =>
    isSqlite ? `json_extract(${row}.value, '$.${name}')` : `(${row}.value::jsonb ->> '${name}')`;
  const [dueAt, doneAt] = isSqlite
    ? [field("dueAt"), field("doneAt")]
    : [`${field("dueAt")}::bigint`, `${field("doneAt")}::bigint`];
  const state = isSqlite ? field("state") : `(${row}.value::jsonb -> 'state')::text`;
  const reason = field("reason");
  const now = isSqlite ? "unixepoch() * 1000" : "(extract(epoch from now()) * 1000)::bigint";
  return `
  insert into tillkit_jobs (kind, store_id, payload, due_at, ready_at, attempts, error_code, error, unique_key, wait_ms)
    select replace(${row}.kind, '-', '.'), ${row}.store_id, ${state}, coalesce(${dueAt}, ${now}), ${dueAt}, 0,
      ${reason}, case when ${reason} is null then null else 'A person must act first.' end, ${row}.key, ${LONGEST_WAIT_MS}
    ${from} where ${row}.kind in ${TASKS} and ${doneAt} is null and not exists (select 1 from tillkit_job_keys known
      where known.store_id = ${row}.store_id and known.unique_key = ${row}.key);
  insert into tillkit_job_keys (store_id, unique_key, payload, done_since)
    select ${row}.store_id, ${row}.key, ${state}, ${doneAt}
    ${from} where ${row}.kind in ${TASKS}
    on conflict do nothing;`;
}

function moveLaterTasks(dialect: Dialect): string {
  const body = `${moveTasks(dialect, "new", "")}
  delete from tillkit_records where store_id = new.store_id and kind = new.kind and key = new.key;`;
  if (dialect.isSqlite) {
    return `
create trigger tillkit_task_of_older_version after insert on tillkit_records when new.kind in ${TASKS_AND_ENTRIES} begin
  ${body}
end;
`;
  }
  return `
create function tillkit_move_task() returns trigger language plpgsql as $body$
begin
  ${body}
  return null;
end
$body$;
create trigger tillkit_task_of_older_version after insert on tillkit_records
  for each row when (new.kind in ${TASKS_AND_ENTRIES}) execute function tillkit_move_task();
`;
}

/** The entry held a name and, after a space, the transaction's id as one text. */
function whoNamedTransactions({ isSqlite }: Dialect): string {
  const by = "substr(detail, 1, length(detail) - length(named.id) - 1)";
  const fields = `'by', ${by}, 'transactionId', named.id`;
  return `
update tillkit_timeline set detail = coalesce((
  select ${isSqlite ? `json_object(${fields})` : `json_build_object(${fields})::text`} from tillkit_transactions named
    where named.payment_id = tillkit_timeline.payment_id and named.evidence = 'person'
      and substr(detail, length(detail) - length(named.id)) = ' ' || named.id limit 1), detail)
  where kind = 'transaction_named' and payment_id in (select payment_id from tillkit_transactions where evidence = 'person');
`;
}
