import { confirmPayment } from "../confirm/confirm-payment.ts";
import type { ConfirmResult } from "../confirm/confirm-result.ts";
import { reopenDuplicates } from "../confirm/reopen-duplicates.ts";
import { processDelivery } from "../deliveries/process-delivery.ts";
import { codeOf, requestIdOf } from "../domain/checkout-error.ts";
import type { Finding } from "../domain/finding.ts";
import { exponentialBackoff, isWaiting, type Job, type JobKind } from "../domain/job.ts";
import { limits, nextCheck } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import { safeReason } from "../domain/safe-text.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { checkJob, reportedTransaction } from "../payments/payment-jobs.ts";
import { keepTransaction } from "../sessions/find-transaction.ts";
import { runUnderLease } from "./job-lease.ts";
import type { JobResult } from "./job-result.ts";
import { addOrderNote, autoRefund, followUpRefund, markPending, markRefused, showHold } from "./store-jobs.ts";

export type RunResult = { readonly done: number; readonly retried: number; readonly dead: number };

/**
 * One round of the worker: claims what is due and does it, several jobs at once. Called by a timer, by a platform's own job,
 * by the simulator; never sleeps. An empty round answers zeros.
 */
export async function runDue(engine: Engine, wish: { limit?: number } = {}): Promise<RunResult> {
  return await (await startDue(engine, wish)).finished;
}

/** A round whose jobs are under way: a store that hangs holds up this round, so the next may begin beside it. */
export type StartedRun = { readonly claimed: number; readonly finished: Promise<RunResult> };

/** runDue for a host that begins the next round before this one is over. `jobEnded` is called whenever a job ends. */
export async function startDue(
  engine: Engine,
  { limit = limits.jobsARound, jobEnded }: { limit?: number; jobEnded?: () => void } = {},
): Promise<StartedRun> {
  const { ledger, clock, worker, storeConcurrency } = engine;
  const want = {
    worker,
    now: clock.now(),
    leaseMs: limits.jobLeaseMs,
    limit,
    except: storeConcurrency.saturatedStores(),
  };
  const jobs = await ledger.claim(want);
  return { claimed: jobs.length, finished: runJobs(engine, jobs, jobEnded) };
}

async function runJobs(engine: Engine, jobs: readonly Job[], jobEnded?: () => void): Promise<RunResult> {
  const ends = await runUnderLease(engine, jobs, async (job) => {
    const release = job.storeId === null ? null : engine.storeConcurrency.acquireAnyway(job.storeId);
    try {
      return await runJob(engine, job);
    } finally {
      release?.();
      jobEnded?.();
    }
  });
  return {
    done: ends.filter((end) => end === "done").length,
    retried: ends.filter((end) => end === "again").length,
    dead: ends.filter((end) => end === "dead").length,
  };
}

async function runJob(engine: Engine, job: Job): Promise<"done" | "again" | "dead"> {
  const end = await tryJob(engine, job);
  if (end === "done" || "processed" in end) {
    const processed = end === "done" ? [] : [end.processed];
    await engine.ledger.commit({ finished: [job.id], processed, timeline: [] });
    return "done";
  }
  const { log, clock, ledger } = engine;
  const dueAt =
    end.retryAt === null
      ? null
      : end.isExactTime
        ? end.retryAt
        : Math.max(end.retryAt, backoff(engine, job, clock.now()));
  const { kind, paymentId, storeId, attempts } = job;
  const why = { job: kind, paymentId, storeId, attempts, reason: end.error, requestId: end.requestId ?? null };
  if (dueAt === null) log.error("job.dead", why);
  else if (isWaiting(end.error)) log.info("job.waits", why);
  else log.warn("job.retried", why);
  await ledger.commit({ retried: [{ id: job.id, dueAt, error: end.error }], timeline: [] });
  return dueAt === null ? "dead" : "again";
}

async function tryJob(engine: Engine, job: Job): Promise<JobResult> {
  try {
    return await run(engine, job);
  } catch (error) {
    const dead = codeOf(error) === "reconnect" || job.attempts >= limits.retries;
    return {
      retryAt: dead ? null : engine.clock.now(),
      error: `${codeOf(error)}: ${safeReason(error)}`,
      requestId: requestIdOf(error),
    };
  }
}

async function run(engine: Engine, job: Job): Promise<JobResult> {
  if (job.kind === "delivery") return await runDelivery(engine, job);
  if (!Object.hasOwn(HANDLERS, job.kind))
    return { retryAt: null, error: `unknown_job: this version does not know jobs of kind "${job.kind}".` };
  return await HANDLERS[job.kind](engine, await getPayment(engine, job.paymentId ?? ""), job);
}

const HANDLERS: Record<
  Exclude<JobKind, "delivery">,
  (engine: Engine, payment: Payment, job: Job) => Promise<JobResult>
> = {
  confirm: async (engine, payment, job) => {
    if (job.payload === "signal") return await confirm(engine, payment, "webhook");
    if (reportedTransaction(job.payload) !== null) return await awaitReportedSuccess(engine, payment, job);
    if (job.payload !== "") return await runScheduledCheck(engine, payment, job);
    return isRefused(payment) ? "done" : await confirm(engine, payment, "timer");
  },
  reopen: async (engine, payment) => resultOf(engine, await reopenDuplicates(engine, payment)),
  hold: (engine, payment, job) => showHold(engine, payment, JSON.parse(job.payload) as Finding),
  note: (engine, payment, job) => addOrderNote(engine, payment, job.payload),
  refund: (engine, payment, job) => followUpRefund(engine, payment, job),
  "auto-refund": (engine, payment) => autoRefund(engine, payment),
  pending: (engine, payment, job) => markPending(engine, payment, job.payload),
  refuse: (engine, payment) => markRefused(engine, payment),
};

async function runDelivery(engine: Engine, job: Job): Promise<JobResult> {
  const { endpointId, digest } = JSON.parse(job.payload) as { endpointId: string; digest: string };
  const { outcome, paymentId, isUnread } = await processDelivery(engine, endpointId, digest);
  if (isUnread && job.attempts < limits.unreadableReads) {
    return { retryAt: engine.clock.now(), error: "stale: the service does not show yet the transaction of the event." };
  }
  return { processed: { endpointId, digest, outcome, paymentId, processedAt: engine.clock.now() } };
}

async function confirm(engine: Engine, payment: Payment, who: "timer" | "webhook"): Promise<JobResult> {
  return resultOf(engine, [await confirmPayment(engine, payment.id, { actor: who })]);
}

// The service reports that this payment succeeded. A session that does not show it yet is read again: for a late success the
// next scheduled read may be a day away.
async function awaitReportedSuccess(engine: Engine, found: Payment, { attempts, payload }: Job): Promise<JobResult> {
  const confirmed = await confirmPayment(engine, found.id, { actor: "webhook" });
  const end = resultOf(engine, [confirmed]);
  const { state, finding, amountReceived, transactionId } = confirmed.payment;
  const reported = reportedTransaction(payload) || transactionId;
  if (amountReceived !== null && reported !== null && reported !== transactionId) {
    await keepTransaction(engine, found.id, reported);
  }
  if (end !== "done" || !UNPAID.has(state)) return end;
  const patience = finding === null ? limits.successReads : limits.unreadableReads;
  if (attempts >= patience) return "done";
  // What cannot be read for ten minutes is told to the operators; a session that is a moment behind is not.
  const error = finding === null ? "stale: the session does not show yet" : "unreadable: the service does not show";
  return { retryAt: engine.clock.now(), error: `${error} what its event reported.` };
}

/** Nothing was read of these yet that counts as money. */
const UNPAID: ReadonlySet<PaymentState> = new Set(["open", "superseded", "expired", "closed"]);

// Told again at once, a store that refuses what the judge allows would refuse again, and so on for ever: from here on the
// scheduled reads and new signals look.
function isRefused({ state, storeWriteAt }: Payment): boolean {
  return state === "review" && storeWriteAt === null;
}

function resultOf(engine: Engine, confirms: readonly ConfirmResult[]): Exclude<JobResult, { processed: unknown }> {
  const open = confirms.filter(({ retryAt, error }) => retryAt !== null || error !== null);
  if (open.length === 0) return "done";
  const error = open.map((confirmed) => confirmed.error ?? "busy: somebody else is writing this order.").join(" ");
  const times = open.map(({ retryAt }) => retryAt).filter((at) => at !== null);
  const again = times.length === 0 ? null : Math.max(engine.clock.now(), Math.min(...times));
  return { retryAt: again, error, isExactTime: open.some(({ isPlatformSchedule }) => isPlatformSchedule === true) };
}

// A scheduled read. Whatever it finds, the next one is scheduled in the same commit that ends this one's turn.
async function runScheduledCheck(engine: Engine, found: Payment, job: Job): Promise<JobResult> {
  const { check: planned } = JSON.parse(job.payload) as { check: number };
  if (found.nextCheckAt !== planned) return "done";
  const end = found.state === "intent" && !isOld(engine, found) ? "done" : await confirm(engine, found, "timer");
  if (end !== "done") return end;
  const payment = await getPayment(engine, found.id);
  if (payment.nextCheckAt !== planned) return "done";
  const checked = { ...payment, checks: payment.checks + 1 };
  const nextCheckAt = nextCheck(checked, engine.clock.now());
  const next = { ...checked, nextCheckAt, version: payment.version + 1 };
  const commit = { payment: { next, expect: payment.version }, jobs: checkJob(next), timeline: [] };
  const answer = await engine.ledger.commit(commit);
  return answer === "done" ? "done" : { retryAt: engine.clock.now(), error: "stale: the payment changed meanwhile." };
}

function isOld(engine: Engine, intent: Payment): boolean {
  return engine.clock.now() >= intent.createdAt + limits.keyLifeMs;
}

function backoff(engine: Engine, job: Job, now: number): number {
  const full = exponentialBackoff(limits.retryFirstMs, limits.retryLongestMs, job.attempts);
  return now + Math.round(full * (0.75 + engine.random.fraction() / 2));
}
