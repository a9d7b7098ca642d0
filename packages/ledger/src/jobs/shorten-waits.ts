import { limits, type PaymentLedger } from "@tillkit/core";
import { isHostJobKind, latestDueAt } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { isClaimable } from "./jobs.ts";

type ClaimRequest = Pick<Parameters<PaymentLedger["claim"]>[0], "now" | "leaseMs" | "hostKinds">;

/** Jobs that one statement reads, so that other work goes on between two statements. */
const PAGE = 500;

/**
 * Shortens the waits that a clock ahead of time has left behind. The first claim of this process and the first claim after its clock was
 * set back look at all waiting jobs. The clock of another machine may be ahead too, but a machine whose clock differs only adds jobs:
 * every `limits.clockCorrectionMs` a claim looks at the jobs that were added since.
 */
export function createWaitCorrection(database: Database<LedgerSchema>): (request: ClaimRequest) => Promise<void> {
  let lastNow = Number.POSITIVE_INFINITY;
  let correctedAt = 0;
  // Two passes back: a transaction that was still under way at the last pass has added jobs with lower ids.
  let seenIds: readonly [beforeLast: number, last: number] = [0, 0];

  return async function shortenWaits(request) {
    const { now } = request;
    const wasSetBack = now < lastNow - limits.clockSkewMs;
    lastNow = now;
    if (!wasSetBack && now < correctedAt + limits.clockCorrectionMs) return;
    correctedAt = now;
    try {
      const newest = await newestId(database.db);
      await shortenAfter(database, wasSetBack ? 0 : seenIds[0], request);
      seenIds = [seenIds[1], newest];
    } catch (error) {
      // The next claim looks at all jobs.
      lastNow = Number.POSITIVE_INFINITY;
      throw error;
    }
  };
}

async function newestId(session: Session): Promise<number> {
  const row = await session.selectFrom("tillkit_jobs").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

async function shortenAfter(database: Database<LedgerSchema>, id: number, request: ClaimRequest): Promise<void> {
  let last = id;
  for (;;) {
    const page = await waitingJobsAfter(database.db, last, request);
    const shortened = page.flatMap((job) => {
      const latest = latestReadyAt(job, request);
      // A process whose clock is ahead may have done the check that still lies ahead here, and scheduled the one after it.
      const latestElsewhere = latestReadyAt(job, { ...request, now: request.now + limits.clockSkewMs });
      const isTooLate = job.readyAt > Math.max(latest + limits.clockSkewMs, latestElsewhere);
      return isTooLate ? [{ id: job.id, readyAt: job.readyAt, latest }] : [];
    });
    if (shortened.length > 0) await database.transaction((session) => writeReadyTimes(session, shortened));
    const end = page.at(-1);
    if (end === undefined || page.length < PAGE) return;
    last = end.id;
  }
}

type WaitingJob = Awaited<ReturnType<typeof waitingJobsAfter>>[number];

async function waitingJobsAfter(session: Session, id: number, { now, hostKinds }: ClaimRequest) {
  return await session
    .selectFrom("tillkit_jobs as job")
    .leftJoin("tillkit_payments as payment", "payment.id", "job.payment_id")
    .select(["job.id", "job.kind", "job.payload", "job.attempts", "job.worker", "job.wait_ms as waitMs"])
    .select(["payment.created_at as createdAt", "payment.session_expires_at as expiresAt", "payment.checks"])
    .select(["payment.store_retry_at as storeRetryAt"])
    .select(sql<number>`job.ready_at`.as("readyAt"))
    .where("job.id", ">", id)
    .where(isClaimable(hostKinds))
    // No wait is limited to less than a lease.
    .where("job.ready_at", ">", now + limits.jobLeaseMs)
    .orderBy("job.id")
    .limit(PAGE)
    .execute();
}

function latestReadyAt(job: WaitingJob, { now, leaseMs }: ClaimRequest): number {
  const { kind } = job;
  if (job.worker !== null) return now + Math.max(leaseMs, limits.jobLeaseMs);
  if (isHostJobKind(kind)) return now + job.waitMs;
  const { createdAt, expiresAt, checks, storeRetryAt } = job;
  if (createdAt === null || checks === null) return latestDueAt({ ...job, kind }, null, now);
  return latestDueAt(
    { ...job, kind },
    { createdAt, session: expiresAt === null ? null : { expiresAt }, checks, storeRetryAt },
    now,
  );
}

type ShortenedJob = { readonly id: number; readonly readyAt: number; readonly latest: number };

// A job that another process has claimed, renewed or scheduled meanwhile keeps its new time. The numbers are literals, because
// PostgreSQL takes parameters in `values` for texts.
async function writeReadyTimes(session: Session, jobs: readonly ShortenedJob[]): Promise<void> {
  const rows = jobs.map(({ id, readyAt, latest }) => sql`(${sql.lit(id)}, ${sql.lit(readyAt)}, ${sql.lit(latest)})`);
  await sql`
    with shortened (id, ready_at, latest) as (values ${sql.join(rows)})
    update tillkit_jobs set ready_at = shortened.latest from shortened
    where tillkit_jobs.id = shortened.id and tillkit_jobs.ready_at = shortened.ready_at`.execute(session);
}
