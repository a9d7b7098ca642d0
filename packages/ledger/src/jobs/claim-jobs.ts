import { limits, type PaymentLedger } from "@tillkit/core";
import type { Job } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { isClaimable, nextReadyAt, rowToJob } from "./jobs.ts";
import { createWaitCorrection } from "./shorten-waits.ts";

type Engine = Database<LedgerSchema>["engine"];

type ClaimRequest = Parameters<PaymentLedger["claim"]>[0];

type JobRow = Selectable<LedgerSchema["tillkit_jobs"]>;

type DueJob = { readonly id: number; readonly storeId: string };

/**
 * A claim considers this many of the oldest due jobs, which is enough for several workers that claim at once. If as many jobs are
 * due, there is a backlog, and the claim also visits stores whose jobs came later.
 */
const BACKLOG = 256;
/** How many stores one claim visits in a backlog. The next claim goes on with the store after the last visited store. */
const STORES_PER_CLAIM = 1_000;

/** Claims jobs for the workers of one process: the first job of every store before the second job of any store. */
export function createJobClaims(database: Database<LedgerSchema>): PaymentLedger["claim"] {
  const ofPayments = createClaims(database);
  const ofHosts = createClaims(database);
  return (request) => (request.hostKinds === undefined ? ofPayments : ofHosts)(request);
}

function createClaims(database: Database<LedgerSchema>): PaymentLedger["claim"] {
  // The last store that was visited in a backlog. Null: the next claim begins with the first store.
  let lastStore: string | null = null;
  const shortenWaits = createWaitCorrection(database);

  async function chooseJobs(session: Session, request: ClaimRequest): Promise<readonly number[]> {
    const due = await oldestDueJobs(session, request);
    if (due.length < BACKLOG) return idsInTurns(due, request);
    const visit = await visitStores(session, database.engine, { ...request, lastStore });
    lastStore = visit.lastStore;
    return visit.ids;
  }

  return async function claimJobs(request) {
    await shortenWaits(request);
    // This read takes no write lock, so that idle workers do not block writers.
    const next = await nextReadyAt(database.db, request.hostKinds);
    if (next === null || next > request.now) return [];
    return database.transaction(async (session) => {
      const ids = await chooseJobs(session, request);
      return ids.length === 0 ? [] : await leaseJobs(session, { ...request, ids, engine: database.engine });
    });
  };
}

async function oldestDueJobs(session: Session, { now, hostKinds }: ClaimRequest): Promise<readonly DueJob[]> {
  return await session
    .selectFrom("tillkit_jobs")
    .select(["id", "store_id as storeId"])
    .where("ready_at", "is not", null)
    .where("ready_at", "<=", now)
    .where(isClaimable(hostKinds))
    .orderBy("ready_at")
    .orderBy("id")
    .limit(BACKLOG)
    .execute();
}

/** The ids of jobs in turns: in the first turn the first job of each store, in the second turn the second job of each store, and so on. */
function idsInTurns(due: readonly DueJob[], { except = [] }: ClaimRequest): readonly number[] {
  const turns: number[][] = [];
  const turnsOfStores = new Map<string, number>();
  for (const { id, storeId } of due) {
    const turn = turnsOfStores.get(storeId) ?? 0;
    if (except.includes(storeId) || turn === limits.claimedJobsPerStore) continue;
    turnsOfStores.set(storeId, turn + 1);
    turns[turn] = [...(turns[turn] ?? []), id];
  }
  return turns.flat();
}

type VisitRequest = ClaimRequest & { readonly lastStore: string | null };

/**
 * Chooses among the oldest due jobs and the first jobs of the next stores. The query jumps from store to store along the index
 * and reads only the first few jobs of each, so that a flood in one store costs nothing and hides no other store.
 */
async function visitStores(session: Session, engine: Engine, request: VisitRequest) {
  const { now, except = [], lastStore, hostKinds } = request;
  const hasKey = hostKinds === undefined ? sql`unique_key is null` : sql`unique_key is not null`;
  const after = lastStore === null ? sql`` : sql`and store_id > ${lastStore}`;
  const isWanted = except.length === 0 ? sql`true` : sql`due.store_id not in (${sql.join(except)})`;
  const { rows } = await sql<{ id: number | null; last: string | null; visited: number }>`
    with recursive stores (store_id, place) as (
      select min(store_id), 1 from tillkit_jobs where ready_at is not null and ${hasKey} ${after}
      union all
      select (select min(store_id) from tillkit_jobs where ready_at is not null and ${hasKey} and store_id > stores.store_id), place + 1
      from stores where stores.store_id is not null and place < ${STORES_PER_CLAIM}
    ),
    oldest as (
      select id, store_id, ready_at from tillkit_jobs
      where ready_at is not null and ready_at <= ${now} and ${isClaimable(hostKinds)}
      order by ready_at, id limit ${BACKLOG}
    ),
    due as (
      select id, store_id, ready_at from oldest
      union
      select first.id, first.store_id, first.ready_at from stores join ${firstJobsOfStore(engine, request)}
    ),
    fair as (
      select id, ready_at, row_number() over (partition by due.store_id order by ready_at, id) as turn
      from due where ${isWanted} order by turn, ready_at, id limit ${BACKLOG}
    )
    select fair.id, visit.last, visit.visited
    from (select max(store_id) as last, count(store_id) as visited from stores) visit left join fair on fair.turn <= ${limits.claimedJobsPerStore}
    order by fair.turn, fair.ready_at, fair.id`.execute(session);
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  // Every row repeats the same `last` and `visited`.
  const [visit] = rows;
  const visitedAllStores = Number(visit?.visited ?? 0) < STORES_PER_CLAIM;
  return { ids, lastStore: visitedAllStores ? null : (visit?.last ?? null) };
}

/**
 * A lateral join with `stores`. SQLite has no `lateral`, but its `in` subquery can refer to `stores`; for such a subquery PostgreSQL
 * would read all jobs. PostgreSQL gets a range of (store_id, ready_at) instead of an equal store_id, because then only the index of
 * stores has the wanted order. Otherwise PostgreSQL may choose the index of due jobs and read the whole flood for each store.
 */
function firstJobsOfStore(engine: Engine, { now, hostKinds }: ClaimRequest): RawBuilder<unknown> {
  const isWanted = isClaimable(hostKinds);
  const limit = limits.claimedJobsPerStore;
  if (engine === "postgres") {
    return sql`lateral (
      select id, store_id, ready_at from tillkit_jobs where ready_at is not null
        and (store_id, ready_at) >= (stores.store_id, 0) and (store_id, ready_at) <= (stores.store_id, ${now}) and ${isWanted}
      order by store_id, ready_at, id limit ${limit}
    ) first on true`;
  }
  return sql`tillkit_jobs first on first.id in (
    select id from tillkit_jobs where store_id = stores.store_id and ready_at is not null and ready_at <= ${now} and ${isWanted}
    order by ready_at, id limit ${limit}
  )`;
}

type LeaseRequest = ClaimRequest & { readonly ids: readonly number[]; readonly engine: Engine };

/** Leases up to `limit` of the jobs, in the order of `ids`, and skips jobs that another worker has leased meanwhile. */
async function leaseJobs(session: Session, { ids, engine, ...request }: LeaseRequest): Promise<readonly Job[]> {
  const { now, leaseMs, worker, limit } = request;
  const lease = sql`update tillkit_jobs set ready_at = ${now + leaseMs}, worker = ${worker}, attempts = attempts + 1`;
  const leaseOfFreeJobs =
    engine === "postgres"
      ? sql`with free as materialized (${selectFreeJobs(ids, request)}) ${lease} where id in (select id from free)`
      : sql`${lease} where id in (${sql.join(ids.slice(0, limit))})`;
  const { rows } = await sql<JobRow>`${leaseOfFreeJobs} returning *`.execute(session);
  const leasedJobs = new Map(rows.map((row) => [row.id, rowToJob(row)]));
  return ids.flatMap((id) => leasedJobs.get(id) ?? []);
}

/**
 * Locks the jobs and skips jobs that another worker has locked, or has leased meanwhile. SQLite needs neither, because only one
 * process writes at a time.
 */
function selectFreeJobs(ids: readonly number[], { now, limit }: ClaimRequest): RawBuilder<unknown> {
  const arrayText = `{${ids.join(",")}}`;
  return sql`
    select job.id from unnest(${arrayText}::bigint[]) with ordinality as chosen (id, place)
    join tillkit_jobs job on job.id = chosen.id
    where job.ready_at <= ${now} order by chosen.place limit ${limit}
    for update of job skip locked`;
}
