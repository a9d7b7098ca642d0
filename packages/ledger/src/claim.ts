import { type Job, limits, type PaymentLedger } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { type RawBuilder, sql } from "kysely";
import { jobOfRow, nextReadyAt } from "./jobs.ts";
import type { LedgerSchema, Session } from "./schema.ts";

type Engine = Database<LedgerSchema>["engine"];

type Want = Parameters<PaymentLedger["claim"]>[0];

export async function claimJobs(database: Database<LedgerSchema>, want: Want): Promise<readonly Job[]> {
  // A worker that only looks whether there is work keeps nobody from writing.
  const next = await nextReadyAt(database.db);
  if (next === null || next > want.now) return [];
  return database.transaction(async (session) => {
    const ids = await chooseJobs(session, database.engine, want);
    return ids.length === 0 ? [] : await leaseJobs(session, ids, want);
  });
}

/**
 * Every store's first job before any store's second. It jumps from store to store along the index and looks at the first
 * few jobs of each, so that a flood in one store costs nothing. The condition on the time stands twice: once to find the
 * jobs, and once for the moment in which a row was locked, when another worker may have had it meanwhile.
 */
async function chooseJobs(
  session: Session,
  engine: Engine,
  { now, limit, except = [] }: Want,
): Promise<readonly number[]> {
  const left = except.length === 0 ? sql`` : sql`and stores.store_id not in (${sql.join(except)})`;
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
      from stores join ${firstOfEachStore(engine, now)} ${left}
    )
    ${engine === "postgres" ? lockedNow(now) : sql`select id from fair`}
    order by fair.turn, fair.ready_at, fair.id
    limit ${limit} ${engine === "postgres" ? sql`for update of job skip locked` : sql``}`.execute(session);
  return rows.map(({ id }) => id);
}

// SQLite has one writer at a time: nobody can have taken a job meanwhile, and there is nothing to join for.
function lockedNow(now: number): RawBuilder<unknown> {
  return sql`select job.id from fair join tillkit_jobs job on job.id = fair.id where job.ready_at <= ${now}`;
}

/** A join that looks back at the row before it: SQLite has no word for it but allows it in the condition, where PostgreSQL would read all jobs. */
function firstOfEachStore(engine: Engine, now: number): RawBuilder<unknown> {
  const ofOneStore = (columns: RawBuilder<unknown>) => sql`(
    select ${columns} from tillkit_jobs
    where store_id = stores.store_id and ready_at is not null and ready_at <= ${now}
    order by ready_at, id limit ${limits.jobsPerStore}
  )`;
  return engine === "postgres"
    ? sql`lateral ${ofOneStore(sql`id, store_id, ready_at`)} first on true`
    : sql`tillkit_jobs first on first.id in ${ofOneStore(sql`id`)}`;
}

async function leaseJobs(session: Session, ids: readonly number[], want: Want): Promise<readonly Job[]> {
  const rows = await session
    .updateTable("tillkit_jobs")
    .set(({ eb }) => ({
      ready_at: want.now + want.leaseMs,
      worker: want.worker,
      attempts: eb("attempts", "+", 1),
    }))
    .where("id", "in", ids)
    .returningAll()
    .execute();
  const leased = new Map(rows.map((row) => [row.id, jobOfRow(row)]));
  return ids.flatMap((id) => leased.get(id) ?? []);
}
