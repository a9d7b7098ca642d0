import type { Delivery } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import { beginOfMonth, FAST_INDEXES, MONTHS } from "./fill-history.ts";
import { psql } from "./psql.ts";

const DAY_MS = 86_400_000;
/** How far back a repeated delivery is looked for: over at most two partitions. */
const DEDUPLICATED_MS = 28 * DAY_MS;

/**
 * Moves deliveries and timeline into tables with a partition for each month. A unique key of a partitioned table must contain the
 * column by which it is partitioned.
 */
export async function partitionByMonth(url: string): Promise<void> {
  await partition(url, "tillkit_deliveries", "received_at", [
    "alter table tillkit_deliveries add primary key (endpoint_id, digest, received_at)",
    "create index on tillkit_deliveries (payment_id) where payment_id is not null",
    "create index on tillkit_deliveries (outcome, received_at)",
    "create index on tillkit_deliveries (received_at) where outcome is not null and octet_length(body) > 0",
  ]);
  await partition(url, "tillkit_timeline", "at", [
    "alter table tillkit_timeline add primary key (sequence, at)",
    "create index on tillkit_timeline (payment_id, at)",
  ]);
}

async function partition(url: string, table: string, column: string, indexes: readonly string[]): Promise<void> {
  // The bench may have added two months to the first twelve.
  const months = Array.from({ length: MONTHS + 2 }, (_, month) => month);
  const partitions = months.map(
    (month) => `create table ${partitionOf(table, month)} partition of ${table}
      for values from (${beginOfMonth(month)}) to (${beginOfMonth(month + 1)})`,
  );
  const dropped = await psql(
    url,
    `select coalesce('alter table ${table} drop constraint ' || c.conname, 'drop index ' || i.indexrelid::regclass)
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid where i.indrelid = '${table}'::regclass`,
  );
  const isNumbered = table === "tillkit_timeline";
  await psql(
    url,
    [
      "set synchronous_commit = off",
      ...dropped,
      `alter table ${table} rename to whole`,
      `create table ${table} (like whole including defaults) partition by range (${column})`,
      ...(isNumbered
        ? [
            // Starts above all numbers that the rows have already.
            "create sequence partitioned_sequence start 1000000000",
            `alter table ${table} alter column sequence set default nextval('partitioned_sequence')`,
          ]
        : []),
      ...partitions,
      `create table ${table}_kept partition of ${table} default`,
      `insert into ${table} select * from whole`,
      "drop table whole",
    ].join(";"),
  );
  for (const index of indexes) await psql(url, `${FAST_INDEXES} ${index}`);
  await psql(url, `vacuum (analyze) ${table}`);
}

function partitionOf(table: string, month: number): string {
  return `${table}_month_${month}`;
}

/** Stores a delivery and its job as the ledger does, unless the same delivery arrived within `DEDUPLICATED_MS`. */
export async function receiveInPartition({ db }: Database<object>, delivery: Delivery): Promise<void> {
  const { endpointId, digest, bytes, receivedAt } = delivery;
  await sql`
    with inserted as (
      insert into tillkit_deliveries (endpoint_id, digest, body, received_at)
      select ${endpointId}, ${digest}, ${bytes}::bytea, ${receivedAt}::bigint
      where not exists (
        select 1 from tillkit_deliveries where endpoint_id = ${endpointId} and digest = ${digest}
          and received_at >= ${receivedAt - DEDUPLICATED_MS}::bigint)
      on conflict do nothing
      returning endpoint_id, digest, received_at
    )
    insert into tillkit_jobs (kind, store_id, payload, due_at, ready_at, attempts)
    select 'delivery', '',
      '{"endpointId":' || to_json(endpoint_id)::text || ',"digest":' || to_json(digest)::text || '}',
      received_at, received_at, 0
    from inserted`.execute(db);
}

/** Drops the partitions of a month after the rows of unfinished payments were moved to the default partition. */
export async function dropMonth(url: string, month: number): Promise<void> {
  const isUnfinished = `payment_id in (select id from tillkit_payments
    where state not in ('recorded', 'refunded', 'closed') and created_at >= ${beginOfMonth(month) - DAY_MS}
      and created_at < ${beginOfMonth(month + 1)})`;
  const drops = ["tillkit_deliveries", "tillkit_timeline"].map((table) => {
    const old = partitionOf(table, month);
    return `create temporary table kept on commit drop as select * from ${old} where ${isUnfinished};
      alter table ${table} detach partition ${old};
      insert into ${table}_kept select * from kept;
      drop table kept;
      drop table ${old};`;
  });
  await psql(url, `begin; ${drops.join("")} commit`);
}
