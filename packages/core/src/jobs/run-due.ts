import { confirmPayment } from "../confirm/confirm-payment.ts";
import { reopenDuplicates } from "../confirm/reopen-duplicates.ts";
import { processDelivery } from "../deliveries/process-delivery.ts";
import { codeOf, requestIdOf, retryAtOf } from "../domain/checkout-error.ts";
import type { ProcessedDelivery } from "../domain/delivery.ts";
import {
  exponentialBackoff,
  formatJobError,
  isHostJobKind,
  isWaiting,
  type Job,
  type JobError,
  type JobKind,
  type JobTask,
  readTask,
  type TaskOf,
} from "../domain/job.ts";
import { limits, nextCheck } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import { safeReason } from "../domain/safe-text.ts";
import type { Engine } from "../engine.ts";
import { keepReportedTransaction } from "../movements/identify-transaction.ts";
import { checkJob } from "../payments/payment-jobs.ts";
import { getPayment } from "../payments/stored-payment.ts";
import { runUnderLease } from "../stores/leases.ts";
import { compareOrder } from "./compare-order.ts";
import { type JobResult, readAgain, resultOf } from "./job-result.ts";
import { runHostJob } from "./run-host-job.ts";
import { addOrderNote, autoRefund, followUpRefund, markPending, markRefused, showHold } from "./store-jobs.ts";

export type RunResult = { readonly done: number; readonly retried: number; readonly dead: number };

/**
 * One run of the worker: claims due jobs, runs them concurrently and returns their counts. Hosts call it from a timer or from a
 * scheduled job of their platform. It never sleeps.
 */
export async function runDue(engine: Engine, options: { limit?: number } = {}): Promise<RunResult> {
  return await (await startDue(engine, options)).finished;
}

/** A run whose jobs have started. A slow store delays `finished`, so a host may start the next run earlier. */
export type StartedRun = { readonly claimed: number; readonly finished: Promise<RunResult> };

/** Like `runDue`, but returns as soon as the jobs have started. `jobEnded` is called whenever a job ends. */
export async function startDue(
  engine: Engine,
  { limit = limits.jobsPerRun, jobEnded }: { limit?: number; jobEnded?: () => void } = {},
): Promise<StartedRun> {
  const { ledger, clock, worker, storeConcurrency } = engine;
  const request = { worker, now: clock.now(), leaseMs: limits.jobLeaseMs };
  const ofPayments = await ledger.claim({ ...request, limit, except: storeConcurrency.saturatedStores() });
  const jobs = [...ofPayments, ...(await claimHostJobs(engine, { ...request, limit }))];
  return { claimed: jobs.length, finished: runJobs(engine, jobs, jobEnded) };
}

// A claim of its own, so that a flood of a platform's webhooks delays no job of a payment, and the other way round.
async function claimHostJobs(
  { ledger, hostJobs, hostConcurrency }: Engine,
  { limit, ...request }: Parameters<Engine["ledger"]["claim"]>[0],
): Promise<readonly Job[]> {
  const hostKinds = Object.keys(hostJobs) as (keyof typeof hostJobs)[];
  const room = Math.min(limit, limits.hostJobsAtOnce - hostConcurrency.count());
  if (hostKinds.length === 0 || room <= 0) return [];
  return await ledger.claim({ ...request, limit: room, except: hostConcurrency.saturatedStores(), hostKinds });
}

async function runJobs(engine: Engine, jobs: readonly Job[], jobEnded?: () => void): Promise<RunResult> {
  const results = await runUnderLease(engine, jobs, async (job) => {
    const concurrency = isHostJobKind(job.kind) ? engine.hostConcurrency : engine.storeConcurrency;
    const release = job.storeId === null ? null : concurrency.acquireAnyway(job.storeId);
    try {
      return await runJob(engine, job);
    } finally {
      release?.();
      jobEnded?.();
    }
  });
  return {
    done: results.filter((result) => result === "done").length,
    retried: results.filter((result) => result === "retried").length,
    dead: results.filter((result) => result === "dead").length,
  };
}

async function runJob(engine: Engine, job: Job): Promise<keyof RunResult> {
  const result = await tryJob(engine, job);
  if (result === "done" || "processed" in result) {
    const processed = result === "done" ? [] : [result.processed];
    await engine.ledger.commit({ finished: [job.id], processed, timeline: [] });
    return "done";
  }
  const { retryAt, error, isExactTime, requestId = null, payload, resetAttempts } = result;
  const { log, clock, ledger } = engine;
  // Null makes a dead-letter job, and an exact time gets no backoff.
  const isFinalTime = retryAt === null || isExactTime;
  const dueAt = isFinalTime ? retryAt : Math.max(retryAt, backoff(engine, job, error, clock.now()));
  const { kind, paymentId, storeId, attempts } = job;
  const fields = { job: kind, paymentId, storeId, attempts, reason: formatJobError(error), requestId };
  if (dueAt === null) log.error("job.dead_letter", fields);
  else if (isWaiting(error)) log.info("job.waiting", fields);
  else log.warn("job.retried", fields);
  const retry = {
    ...{ id: job.id, dueAt, error },
    ...(resetAttempts === undefined ? {} : { resetAttempts }),
    ...(payload === undefined ? {} : { payload: { from: job.payload, to: payload } }),
    ...(isHostJobKind(kind) && dueAt !== null ? { waitMs: Math.max(0, dueAt - clock.now()) } : {}),
  };
  await ledger.commit({ retried: [retry], timeline: [] });
  return dueAt === null ? "dead" : "retried";
}

async function tryJob(engine: Engine, job: Job): Promise<JobResult> {
  try {
    return await handleJob(engine, job);
  } catch (error) {
    // A call that an open circuit breaker or a store refused had no effect. Its job waits until the next probe, as often as needed,
    // without a backoff of its own.
    const probeAt = retryAtOf(error);
    const isDead = codeOf(error) === "owner" || (probeAt === null && job.attempts >= limits.maxJobAttempts);
    const failed = {
      retryAt: isDead ? null : engine.clock.now(),
      error: { code: codeOf(error), message: safeReason(error) },
      requestId: requestIdOf(error),
    };
    return isDead || probeAt === null ? failed : { ...failed, retryAt: spread(engine, probeAt), isExactTime: true };
  }
}

async function handleJob(engine: Engine, job: Job): Promise<JobResult> {
  const { kind } = job;
  if (isHostJobKind(kind)) return await runHostJob(engine, job, kind);
  const task = readTask(kind, job.payload);
  if (task.kind === "delivery") return await runDelivery(engine, task, job);
  const payment = await getPayment(engine, job.paymentId ?? "");
  const step = { name: "run job", storeId: payment.ref.storeId, payment, detail: kind } as const;
  const run = HANDLERS[task.kind] as Handler<typeof task.kind>;
  return await engine.tracing.step(step, () => run(engine, payment, task, job));
}

type Handler<Kind extends JobKind> = (
  engine: Engine,
  payment: Payment,
  task: TaskOf<Kind>,
  job: Job,
) => Promise<JobResult>;

const HANDLERS: { readonly [Kind in Exclude<JobKind, "delivery">]: Handler<Kind> } = {
  confirm: async (engine, payment, task, job) => {
    if (task.why === "signal") return await confirm(engine, payment, "webhook");
    if (task.why === "success") return await awaitReportedSuccess(engine, payment, task, job);
    if (task.why === "check") return await runScheduledCheck(engine, payment, task.at);
    return isRefused(payment) ? "done" : await confirm(engine, payment, "timer");
  },
  reopen,
  compare: (engine, payment, _task, job) => compareOrder(engine, payment, job, (results) => resultOf(engine, results)),
  hold: showHold,
  note: addOrderNote,
  refund: followUpRefund,
  "auto-refund": autoRefund,
  pending: markPending,
  refuse: markRefused,
};

async function runDelivery(
  engine: Engine,
  { endpointId, digest }: TaskOf<"delivery">,
  { attempts }: Job,
): Promise<JobResult> {
  const { outcome, paymentId, isUnread, event, transactionId } = await processDelivery(engine, endpointId, digest);
  const mayBeRead = isUnread && attempts < limits.maxUnreadableReads;
  if (mayBeRead) return readAgain(engine, "The service does not show the event's transaction yet.");
  const processed = {
    ...{ endpointId, digest, outcome, paymentId, processedAt: engine.clock.now(), attempts },
    ...(event === undefined ? {} : { event }),
    ...(transactionId === undefined ? {} : { transactionId }),
  };
  return transactionId === undefined || !(await isTiedMeanwhile(engine, processed, transactionId))
    ? { processed }
    : readAgain(engine, "The transaction was tied in the meantime.");
}

// Whoever ties the transaction to a payment from now on finds this delivery. If that happened since the match, the event is processed again.
async function isTiedMeanwhile(engine: Engine, processed: ProcessedDelivery, transactionId: string): Promise<boolean> {
  await engine.ledger.commit({ processed: [processed], timeline: [] });
  return (await engine.ledger.find({ transactionId })) !== null;
}

// A duplicate may be the payment that counts now. When its session cannot be read for hours, a person decides.
async function reopen(engine: Engine, payment: Payment, _task: JobTask, { attempts }: Job): Promise<JobResult> {
  const result = resultOf(engine, await reopenDuplicates(engine, payment));
  const isGivenUp = result !== "done" && result.error.code === "unreadable" && attempts >= limits.maxUnreadableReads;
  return isGivenUp ? { ...result, retryAt: null } : result;
}

async function confirm(engine: Engine, payment: Payment, actor: "timer" | "webhook"): Promise<JobResult> {
  return resultOf(engine, [await confirmPayment(engine, payment.id, { actor })]);
}

// The service reports that this payment succeeded. If its session does not show the success yet, the job reads it again, because
// the next scheduled read may be a day away.
async function awaitReportedSuccess(
  engine: Engine,
  payment: Payment,
  { transactionId: named }: Extract<JobTask, { why: "success" }>,
  { attempts }: Job,
): Promise<JobResult> {
  const confirmed = await confirmPayment(engine, payment.id, { actor: "webhook", transactionId: named });
  const result = resultOf(engine, [confirmed]);
  const { state, finding, amountReceived, transactionId } = confirmed.payment;
  const reported = named ?? transactionId;
  if (amountReceived !== null && reported !== null && reported !== transactionId) {
    await keepReportedTransaction(engine, confirmed.payment, reported);
  }
  if (result !== "done" || !UNPAID.has(state)) return result;
  if (finding !== null) return readUnreadableAgain(engine, confirmed.payment, attempts);
  if (attempts >= limits.maxSuccessReads) return "done";
  return readAgain(engine, "The session does not show yet what its event reported.");
}

// A session that cannot be read counts as a failure and alerts the operators after a while. The reported success is not given up: the
// service's key may be refused for days. At last the job waits for a person.
function readUnreadableAgain(engine: Engine, payment: Payment, attempts: number): JobResult {
  const error = { code: "unreadable", message: "The service does not show what its event reported." };
  const now = engine.clock.now();
  if (attempts < limits.maxUnreadableReads) return { retryAt: now, error };
  return { retryAt: isStillRead(payment, now) ? now + limits.unreadableCheckMs : null, error };
}

/** Whether a payment whose session cannot be read is still read from time to time. */
function isStillRead({ session }: Payment, now: number): boolean {
  return session !== null && now < session.expiresAt + limits.graceMs + limits.unreadableMs;
}

/** The states of a payment for which the service has reported no money yet. */
const UNPAID: ReadonlySet<PaymentState> = new Set(["open", "superseded", "expired", "closed"]);

// The judge allowed the payment, and the store refused it: the store would refuse a repeated write as well. Only scheduled reads
// and new signals confirm such a payment again.
function isRefused({ state, storeWriteAt }: Payment): boolean {
  return state === "review" && storeWriteAt === null;
}

// Runs a scheduled read. One commit counts this read and schedules the next read.
async function runScheduledCheck(engine: Engine, payment: Payment, scheduledAt: number): Promise<JobResult> {
  if (payment.nextCheckAt !== scheduledAt) return "done";
  const isYoungIntent = payment.state === "intent" && !isKeyExpired(engine, payment);
  const result = isYoungIntent ? "done" : await confirm(engine, payment, "timer");
  if (result !== "done") return result;
  const current = await getPayment(engine, payment.id);
  if (current.nextCheckAt !== scheduledAt) return "done";
  const checked = { ...current, checks: current.checks + 1 };
  const now = engine.clock.now();
  const nextCheckAt = nextCheck(checked, now) ?? nextUnreadableCheck(checked, now);
  const next = { ...checked, nextCheckAt, version: current.version + 1 };
  const commit = { payment: { next, expect: current.version }, jobs: checkJob(next), timeline: [] };
  const answer = await engine.ledger.commit(commit);
  return answer === "done" ? "done" : readAgain(engine, "The payment changed in the meantime.");
}

// The regular reads are over, and the last of them showed nothing. Or the service still shows an open session, also where another one
// replaced it: then this machine's clock may be months ahead, and once it is set back the next read comes within minutes.
function nextUnreadableCheck(payment: Payment, now: number): number | null {
  const { state, finding, checks } = payment;
  const isUnread = finding?.code === "not_verifiable" && UNPAID.has(state) && state !== "closed";
  const isShownOpen = state === "open" || state === "superseded";
  // A held payment that was read less often than planned: its owner may put the order right, and nobody would see it.
  const isCutShort = state === "review" && checks <= limits.checksAfterExpiryMs.length;
  return isUnread || isShownOpen || isCutShort ? now + limits.unreadableCheckMs : null;
}

function isKeyExpired(engine: Engine, intent: Payment): boolean {
  const now = engine.clock.now();
  return now >= intent.createdAt + limits.keyLifeMs || intent.createdAt > now + limits.clockSkewMs;
}

// Without this random delay all jobs that an open breaker refused would start in the same moment.
function spread({ random }: Engine, retryAt: number): number {
  return retryAt + Math.round(random.fraction() * limits.breakerProbeMs);
}

// During an outage of the service the waits grow slowly, so that the work continues soon after the outage.
function backoff(engine: Engine, job: Job, { code }: JobError, now: number): number {
  const growth = code === "service_unavailable" ? limits.outageGrowth : undefined;
  const maxMs = code === "unavailable" ? limits.storeRetryMaxMs : limits.retryMaxMs;
  const waitMs = exponentialBackoff(limits.retryFirstMs, maxMs, job.attempts, growth);
  const jitter = 0.75 + engine.random.fraction() / 2;
  return now + Math.round(waitMs * jitter);
}
