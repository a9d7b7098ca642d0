import { type Change, JOB_KINDS, type Job, type NewJob, type StoredJob } from "@tillkit/core";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";

export async function addJobs(session: Session, jobs: readonly NewJob[]): Promise<void> {
  const unconditional = jobs.filter(({ once }) => !once);
  if (unconditional.length > 0) await insertJobs(session, unconditional);
  for (const job of jobs) if (job.once && !(await isQueued(session, job))) await insertJobs(session, [job]);
}

async function insertJobs(session: Session, jobs: readonly NewJob[]): Promise<void> {
  const rows = jobs.map((job) => ({
    kind: job.kind,
    store_id: job.storeId ?? "",
    payment_id: job.paymentId,
    payload: job.payload,
    due_at: job.dueAt,
    ready_at: job.dueAt,
    attempts: 0,
  }));
  await session.insertInto("tillkit_jobs").values(rows).execute();
}

async function isQueued(session: Session, { kind, paymentId, payload, dueAt }: NewJob): Promise<boolean> {
  const row = await session
    .selectFrom("tillkit_jobs")
    .select("id")
    .where("kind", "=", kind)
    .where("payment_id", "=", paymentId)
    .where("payload", "=", payload)
    .where("worker", "is", null)
    .where("ready_at", "<=", dueAt)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes finished jobs, so that the table stays small. The timeline records what the jobs did. */
export async function finishJobs(session: Session, ids: readonly string[]): Promise<void> {
  await session.deleteFrom("tillkit_jobs").where(idIsOneOf(ids)).execute();
}

export async function retryJob(
  session: Session,
  { id, dueAt, error, resetAttempts }: NonNullable<Change["retried"]>[number],
): Promise<void> {
  // A dead-letter job, whose new `dueAt` is null, keeps its last due time.
  const time = dueAt === null ? {} : { due_at: dueAt };
  const attempts = resetAttempts === true ? { attempts: 0 } : {};
  const reason = error.reason === undefined ? null : JSON.stringify(error.reason);
  const failure = { error_code: error.code, error: error.message, error_reason: reason };
  await session
    .updateTable("tillkit_jobs")
    .set({ ready_at: dueAt, worker: null, ...failure, ...time, ...attempts })
    .where(idIsOneOf([id]))
    .execute();
}

export async function renewJobs(
  session: Session,
  ids: readonly string[],
  worker: string,
  until: number,
): Promise<readonly string[]> {
  const renewed = await session
    .updateTable("tillkit_jobs")
    .set({ ready_at: until })
    .where(idIsOneOf(ids))
    .where("worker", "=", worker)
    .returning("id")
    .execute();
  const renewedIds = new Set(renewed.map(({ id }) => String(id)));
  return ids.filter((id) => renewedIds.has(id));
}

/** A process of an older version leaves the jobs that a newer version added. */
export const isKnownKind = sql<boolean>`kind in (${sql.join(JOB_KINDS)})`;

export async function nextReadyAt(session: Session): Promise<number | null> {
  const row = await session
    .selectFrom("tillkit_jobs")
    .select("ready_at")
    .where("ready_at", "is not", null)
    .where(isKnownKind)
    .orderBy("ready_at")
    .limit(1)
    .executeTakeFirst();
  return row?.ready_at ?? null;
}

export function rowToStoredJob(row: Selectable<LedgerSchema["tillkit_jobs"]>): StoredJob {
  const { ready_at: readyAt, error_code: code, error: message } = row;
  const reason = row.error_reason === null ? {} : { reason: JSON.parse(row.error_reason) };
  return { ...rowToJob(row), readyAt, error: code === null || message === null ? null : { code, message, ...reason } };
}

export function rowToJob(row: Selectable<LedgerSchema["tillkit_jobs"]>): Job {
  return {
    id: String(row.id),
    kind: row.kind,
    storeId: row.store_id === "" ? null : row.store_id,
    paymentId: row.payment_id,
    payload: row.payload,
    dueAt: row.due_at,
    attempts: row.attempts,
  };
}

// Ids that are not integers cannot exist in this table. An empty list becomes -1, because PostgreSQL has no `in ()`.
function idIsOneOf(ids: readonly string[]): RawBuilder<boolean> {
  const numbers = ids.map(Number).filter(Number.isSafeInteger);
  return sql`id in (${sql.join(numbers.length === 0 ? [-1] : numbers)})`;
}
