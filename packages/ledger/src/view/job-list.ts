import type { LedgerView, Page, StoredJob } from "@tillkit/core/ledger";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { idIsOneOf, rowToStoredJob } from "../jobs/jobs.ts";
import { comesAfter, toPage } from "./pagination.ts";

type JobRow = Selectable<LedgerSchema["tillkit_jobs"]>;
type JobQuery = Parameters<LedgerView["listJobs"]>[0];

export async function countJobs(session: Session, now: number) {
  const { rows } = await sql<{ due: number; waiting: number; dead: number }>`select
    ${countOf(sql`ready_at <= ${now}`)} as due,
    ${countOf(sql`ready_at > ${now}`)} as waiting,
    (select count(*) from tillkit_jobs where ready_at is null) as dead`.execute(session);
  return rows[0] ?? { due: 0, waiting: 0, dead: 0 };
}

// The jobs of hosts have their own index.
function countOf(isReady: RawBuilder<unknown>): RawBuilder<number> {
  const count = (isOfLane: RawBuilder<unknown>) =>
    sql`(select count(*) from tillkit_jobs where ready_at is not null and ${isReady} and ${isOfLane})`;
  return sql`${count(sql`unique_key is null`)} + ${count(sql`unique_key is not null`)}`;
}

export async function listJobs(session: Session, query: JobQuery): Promise<Page<StoredJob>> {
  const { id, dead, kind, minAttempts, readyBefore, storeId, paymentId, limit, after } = query;
  const isDead = dead ? sql`ready_at is null` : sql`ready_at is not null`;
  const { rows } = await sql<JobRow>`select * from tillkit_jobs
    where ${id === undefined ? sql`true` : idIsOneOf([id])}
      and ${dead === undefined ? sql`true` : isDead}
      and ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
      and ${minAttempts === undefined ? sql`true` : sql`attempts >= ${minAttempts}`}
      and ${readyBefore === undefined ? sql`true` : sql`ready_at is not null and ready_at < ${readyBefore}`}
      and ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`}
      and ${paymentId === undefined ? sql`true` : sql`payment_id = ${paymentId}`}
      and ${comesAfter(["id"], after)}
    order by id desc limit ${limit + 1}`.execute(session);
  return toPage(rows, limit, {
    keyOf: ({ id }) => [id],
    itemOf: rowToStoredJob,
  });
}
