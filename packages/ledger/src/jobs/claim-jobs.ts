import { type Job, limits, type PaymentLedger } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { type RawBuilder, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { nextReadyAt, rowToJob } from "./jobs.ts";

type Engine = Database<LedgerSchema>["engine"];

type ClaimRequest = Parameters<PaymentLedger["claim"]>[0];

export async function claimJobs(database: Database<LedgerSchema>, request: ClaimRequest): Promise<readonly Job[]> {
  // This read takes no write lock, so that idle workers do not block writers.
  const next = await nextReadyAt(database.db);
  if (next === null || next > request.now) return [];
  return database.transaction(async (session) => {
    const ids = await chooseJobs(session, database.engine, request);
    return ids.length === 0 ? [] : await leaseJobs(session, ids, request);
  });
}

/**
 * Chooses every store's first job before any store's second. The query jumps from store to store along the index and reads
 * only the first few jobs of each, so that a flood in one store costs nothing. The condition on `ready_at` is checked twice:
 * once to find the jobs, and once after the row is locked, because another worker may have leased the job in between.
 */
async function chooseJobs(
  session: Session,
  engine: Engine,
  { now, limit, except = [] }: ClaimRequest,
): Promise<readonly number[]> {
  const exceptStores = except.length === 0 ? sql`` : sql`and stores.store_id not in (${sql.join(except)})`;
  const { rows } = await sql<{ id: number }>`
    with recursive stores (store_id) as (
      select min(store_id) from tillkit_jobs where ready_at is not null
      union all
      select (select min(store_id) from tillkit_jobs where ready_at is not null and store_id > stores.store_id)
      from stores where stores.store_id is not null
    ),
    fair as (
      select first.id, first.ready_at,
        row_number() over (partition by first.store_id order by first.ready_at, first.id) as turn
      from stores join ${firstJobsOfStore(engine, now)} ${exceptStores}
    )
    ${engine === "postgres" ? selectStillDue(now) : sql`select id from fair`}
    order by fair.turn, fair.ready_at, fair.id
    limit ${limit} ${engine === "postgres" ? sql`for update of job skip locked` : sql``}`.execute(session);
  return rows.map(({ id }) => id);
}

// SQLite needs no second check: it has one writer at a time, so that no other worker can lease a job in between.
function selectStillDue(now: number): RawBuilder<unknown> {
  return sql`select job.id from fair join tillkit_jobs job on job.id = fair.id where job.ready_at <= ${now}`;
}

/**
 * A lateral join with `stores`. SQLite has no `lateral`, but its `in` subquery can refer to `stores`. PostgreSQL would read all
 * jobs for that subquery.
 */
function firstJobsOfStore(engine: Engine, now: number): RawBuilder<unknown> {
  const selectOfStore = (columns: RawBuilder<unknown>) => sql`(
    select ${columns} from tillkit_jobs
    where store_id = stores.store_id and ready_at is not null and ready_at <= ${now}
    order by ready_at, id limit ${limits.claimedJobsPerStore}
  )`;
  return engine === "postgres"
    ? sql`lateral ${selectOfStore(sql`id, store_id, ready_at`)} first on true`
    : sql`tillkit_jobs first on first.id in ${selectOfStore(sql`id`)}`;
}

async function leaseJobs(session: Session, ids: readonly number[], request: ClaimRequest): Promise<readonly Job[]> {
  const rows = await session
    .updateTable("tillkit_jobs")
    .set(({ eb }) => ({
      ready_at: request.now + request.leaseMs,
      worker: request.worker,
      attempts: eb("attempts", "+", 1),
    }))
    .where("id", "in", ids)
    .returningAll()
    .execute();
  const leasedJobs = new Map(rows.map((row) => [row.id, rowToJob(row)]));
  return ids.flatMap((id) => leasedJobs.get(id) ?? []);
}
