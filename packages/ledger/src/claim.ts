import { type Job, limits } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import { jobOfRow, nextReadyAt } from "./jobs.ts";
import type { LedgerSchema, Session } from "./schema.ts";

export type Want = { readonly worker: string; readonly now: number; readonly leaseMs: number; readonly limit: number };

export async function claimJobs(database: Database<LedgerSchema>, want: Want): Promise<readonly Job[]> {
  // A worker that only looks whether there is work keeps nobody from writing.
  const next = await nextReadyAt(database.db);
  if (next === null || next > want.now) return [];
  return database.transaction(async (session) => {
    const ids = await chooseJobs(session, want);
    return ids.length === 0 ? [] : await leaseJobs(session, ids, want);
  });
}

/**
 * Every store's first job before any store's second. It jumps from store to store along the index and looks at the first
 * few jobs of each, so that a flood in one store costs nothing.
 */
async function chooseJobs(session: Session, { now, limit }: Want): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive stores (store_id) as (
      select min(store_id) from tillkit_jobs where ready_at is not null
      union all
      select (select min(store_id) from tillkit_jobs where ready_at is not null and store_id > stores.store_id)
      from stores where stores.store_id is not null
    )
    select job.id
    from stores join tillkit_jobs job on job.id in (
      select id from tillkit_jobs
      where store_id = stores.store_id and ready_at is not null and ready_at <= ${now}
      order by ready_at, id limit ${limits.jobsPerStore}
    )
    order by row_number() over (partition by job.store_id order by job.ready_at, job.id), job.ready_at, job.id
    limit ${limit}`.execute(session);
  return rows.map(({ id }) => id);
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
