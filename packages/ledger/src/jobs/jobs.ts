import {
  type Change,
  type HostJobKind,
  JOB_KINDS,
  type Job,
  type KeyedJob,
  type NewHostJob,
  type NewJob,
  type StoredJob,
} from "@tillkit/core/ledger";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";

export async function addJobs(session: Session, jobs: readonly NewJob[]): Promise<void> {
  const unconditional = jobs.filter((job) => !("uniqueKey" in job || job.once));
  if (unconditional.length > 0) await insertJobs(session, unconditional);
  for (const job of jobs) {
    const isNew = "uniqueKey" in job ? await addKey(session, job) : job.once && !(await isQueued(session, job));
    if (isNew) await insertJobs(session, [job]);
  }
}

/** False: the store has, or had, a job with this key. */
async function addKey(session: Session, { storeId, uniqueKey, payload }: NewHostJob): Promise<boolean> {
  const added = await session
    .insertInto("tillkit_job_keys")
    .values({ store_id: storeId, unique_key: uniqueKey, payload, done_since: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning("unique_key")
    .executeTakeFirst();
  return added !== undefined;
}

export async function findJobByKey(session: Session, storeId: string, uniqueKey: string): Promise<KeyedJob | null> {
  const row = await session
    .selectFrom("tillkit_job_keys")
    .select(["payload", "done_since"])
    .where("store_id", "=", storeId)
    .where("unique_key", "=", uniqueKey)
    .executeTakeFirst();
  return row === undefined ? null : { payload: row.payload, isDone: row.done_since !== null };
}

/** Forgets the keys of the jobs that are done since before this time. */
export async function forgetJobs(session: Session, before: number): Promise<number> {
  const { numDeletedRows } = await session
    .deleteFrom("tillkit_job_keys")
    .where("done_since", "<", before)
    .executeTakeFirst();
  return Number(numDeletedRows);
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
    unique_key: "uniqueKey" in job ? job.uniqueKey : null,
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

/** Deletes finished jobs, so that the table stays small. The timeline records what the jobs did. Unique keys stay for a while. */
export async function finishJobs(session: Session, ids: readonly string[]): Promise<void> {
  const finished = await session
    .deleteFrom("tillkit_jobs")
    .where(idIsOneOf(ids))
    .returning(["store_id", "unique_key", "due_at"])
    .execute();
  for (const { store_id: storeId, unique_key: uniqueKey, due_at: dueAt } of finished) {
    if (uniqueKey === null) continue;
    await session
      .updateTable("tillkit_job_keys")
      .set({ done_since: dueAt })
      .where("store_id", "=", storeId)
      .where("unique_key", "=", uniqueKey)
      .execute();
  }
}

export async function retryJob(
  session: Session,
  { id, dueAt, error, resetAttempts, onlyDead, payload, waitMs }: NonNullable<Change["retried"]>[number],
): Promise<void> {
  // A dead-letter job, whose new `dueAt` is null, keeps its last due time.
  const time = dueAt === null ? {} : { due_at: dueAt };
  const attempts = resetAttempts === true ? { attempts: 0 } : {};
  const known = payload === undefined ? {} : { payload: payload.to };
  const reason = error.reason === undefined ? null : JSON.stringify(error.reason);
  const failure = { error_code: error.code, error: error.message, error_reason: reason };
  await session
    .updateTable("tillkit_jobs")
    .set({ ready_at: dueAt, worker: null, wait_ms: waitMs ?? 0, ...failure })
    .set({ ...time, ...attempts, ...known })
    .where(idIsOneOf([id]))
    .$if(onlyDead === true, (update) => update.where("ready_at", "is", null))
    .$if(payload !== undefined, (update) => update.where("payload", "=", payload?.from ?? ""))
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

/**
 * The jobs that one claim looks at: those about payments, or those of these hosts. Each of the two has its own indexes. A process leaves
 * jobs of kinds that it does not know: a newer version added them, or another host.
 */
export function isClaimable(hostKinds?: readonly HostJobKind[]): RawBuilder<boolean> {
  return hostKinds === undefined
    ? sql`unique_key is null and kind in (${sql.join(JOB_KINDS)})`
    : sql`unique_key is not null and kind in (${sql.join(hostKinds)})`;
}

export async function nextReadyAt(session: Session, hostKinds?: readonly HostJobKind[]): Promise<number | null> {
  const row = await session
    .selectFrom("tillkit_jobs")
    .select("ready_at")
    .where("ready_at", "is not", null)
    .where(isClaimable(hostKinds))
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
export function idIsOneOf(ids: readonly string[]): RawBuilder<boolean> {
  const numbers = ids.map(Number).filter(Number.isSafeInteger);
  return sql`id in (${sql.join(numbers.length === 0 ? [-1] : numbers)})`;
}
