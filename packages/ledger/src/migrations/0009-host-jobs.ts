import type { Migration } from "@tillkit/sql";

type Dialect = {
  readonly integer: string;
  readonly key: string;
  readonly table: string;
  /** A field of the JSON object in `value`, as JSON and as a number. */
  readonly json: (value: string, field: string) => string;
  readonly number: (value: string, field: string) => string;
  readonly text: (value: string, field: string) => string;
  readonly trigger: (body: string) => string;
};

const TASKS = "('shopify-webhook', 'shopify-modification')";
/** The former queue kept an entry for each due time of a task. */
const TASKS_AND_ENTRIES =
  "('shopify-webhook', 'shopify-modification', 'shopify-webhook-due', 'shopify-modification-due')";

const SQLITE: Dialect = {
  integer: "integer",
  key: "text",
  table: " strict",
  json: (value, field) => `json_extract(${value}, '$.${field}')`,
  number: (value, field) => `json_extract(${value}, '$.${field}')`,
  text: (value, field) => `json_extract(${value}, '$.${field}')`,
  trigger: (body) => `
create trigger tillkit_task_of_older_version after insert on tillkit_records when new.kind in ${TASKS_AND_ENTRIES} begin
  ${body}
end;`,
};

const POSTGRES: Dialect = {
  integer: "bigint",
  key: 'text collate "C"',
  table: "",
  json: (value, field) => `(${value}::jsonb -> '${field}')::text`,
  number: (value, field) => `(${value}::jsonb ->> '${field}')::bigint`,
  text: (value, field) => `${value}::jsonb ->> '${field}'`,
  trigger: (body) => `
create function tillkit_move_task() returns trigger language plpgsql as $body$
begin
  ${body}
  return null;
end
$body$;
create trigger tillkit_task_of_older_version after insert on tillkit_records
  for each row when (new.kind in ${TASKS_AND_ENTRIES}) execute function tillkit_move_task();`,
};

/** Turns tasks of the former queue into jobs. `row` names a row of `tillkit_records`, which `from` selects. */
function moveTasks({ json, number, text }: Dialect, row: "task" | "new", from: string): string {
  const value = `${row}.value`;
  const [dueAt, scheduledAt, doneAt] = ["dueAt", "scheduledAt", "doneAt"].map((field) => number(value, field));
  const reason = text(value, "reason");
  return `
  insert into tillkit_jobs (kind, store_id, payload, due_at, ready_at, attempts, error_code, error, unique_key, wait_ms)
    select replace(${row}.kind, '-', '.'), ${row}.store_id, ${json(value, "state")}, coalesce(${dueAt}, ${scheduledAt}, 0), ${dueAt}, 0,
      ${reason}, case when ${reason} is null then null else 'A person must act first.' end, ${row}.key,
      case when ${dueAt} > ${scheduledAt} then ${dueAt} - ${scheduledAt} else 0 end
    ${from} where ${row}.kind in ${TASKS} and ${doneAt} is null and not exists (select 1 from tillkit_job_keys known
      where known.store_id = ${row}.store_id and known.unique_key = ${row}.key);
  insert into tillkit_job_keys (store_id, unique_key, payload, done_since)
    select ${row}.store_id, ${row}.key, ${json(value, "state")}, ${doneAt}
    ${from} where ${row}.kind in ${TASKS}
    on conflict do nothing;`;
}

// A process of an older version may go on while this version starts. Its task is accepted, so the trigger turns it into a job as well.
const migration = (dialect: Dialect) => `
alter table tillkit_jobs add column unique_key ${dialect.key};
alter table tillkit_jobs add column wait_ms ${dialect.integer} not null default 0;
create table tillkit_job_keys (
  store_id ${dialect.key} not null,
  unique_key ${dialect.key} not null,
  payload text not null,
  done_since ${dialect.integer},
  primary key (store_id, unique_key)
)${dialect.table};
create index tillkit_job_keys_done on tillkit_job_keys (done_since) where done_since is not null;
drop index tillkit_jobs_of_store;
drop index tillkit_jobs_ready;
create index tillkit_jobs_of_store on tillkit_jobs (store_id, ready_at) where ready_at is not null and unique_key is null;
create index tillkit_jobs_ready on tillkit_jobs (ready_at) where ready_at is not null and unique_key is null;
create index tillkit_host_jobs_of_store on tillkit_jobs (store_id, ready_at)
  where ready_at is not null and unique_key is not null;
create index tillkit_host_jobs_ready on tillkit_jobs (ready_at) where ready_at is not null and unique_key is not null;
${moveTasks(dialect, "task", "from tillkit_records task")}
delete from tillkit_records where kind in ${TASKS_AND_ENTRIES};
${dialect.trigger(`${moveTasks(dialect, "new", "")}
  delete from tillkit_records where store_id = new.store_id and kind = new.kind and key = new.key;`)}
`;

/** Jobs that hosts run, each under a unique key. The tasks of the queue that Shopify's app had for itself become such jobs. */
export const HOST_JOBS: Migration = {
  name: "0009-host-jobs",
  sqlite: migration(SQLITE),
  postgres: migration(POSTGRES),
};
