import { codeOf, requestIdOf } from "../domain/checkout-error.ts";
import type { Finding } from "../domain/finding.ts";
import { doublingWait, type Job, type JobKind, onlyWaited } from "../domain/job.ts";
import { limits, nextCheck } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import { safeReason } from "../domain/safe-text.ts";
import { confirmPayment } from "./confirm-payment.ts";
import type { Confirmed } from "./confirmed.ts";
import type { Ended } from "./ended.ts";
import type { Engine } from "./engine.ts";
import { keepTransaction } from "./find-transaction.ts";
import { reportedTransaction } from "./follow-up.ts";
import { whileLeased } from "./job-lease.ts";
import { checkJob } from "./open-session.ts";
import { processDelivery } from "./process-delivery.ts";
import { reopenRivals } from "./reopen-rivals.ts";
import { mustFind } from "./store-calls.ts";
import { followRefund, giveBack, hold, note, tellPending, tellRefused } from "./store-jobs.ts";

export type Round = { readonly done: number; readonly retried: number; readonly dead: number };

/**
 * One round of the worker: claims what is due and does it, several jobs at once. Called by a timer, by a platform's own job,
 * by the simulator; never sleeps. An empty round answers zeros.
 */
export async function runDue(engine: Engine, wish: { limit?: number } = {}): Promise<Round> {
  return await (await beginDue(engine, wish)).over;
}

/** A round whose jobs are under way: a store that hangs holds up this round, so the next may begin beside it. */
export type BegunRound = { readonly claimed: number; readonly over: Promise<Round> };

/** runDue for a host that begins the next round before this one is over. `jobEnded` is called whenever a job ends. */
export async function beginDue(
  engine: Engine,
  { limit = limits.jobsARound, jobEnded }: { limit?: number; jobEnded?: () => void } = {},
): Promise<BegunRound> {
  const { ledger, clock, worker, slots } = engine;
  const want = { worker, now: clock.now(), leaseMs: limits.jobLeaseMs, limit, except: slots.full() };
  const jobs = await ledger.claim(want);
  return { claimed: jobs.length, over: runJobs(engine, jobs, jobEnded) };
}

async function runJobs(engine: Engine, jobs: readonly Job[], jobEnded?: () => void): Promise<Round> {
  const ends = await whileLeased(engine, jobs, async (job) => {
    const release = job.storeId === null ? null : engine.slots.takeAnyway(job.storeId);
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
  const end = await attempt(engine, job);
  if (end === "done" || "heard" in end) {
    const heard = end === "done" ? [] : [end.heard];
    await engine.ledger.commit({ finished: [job.id], heard, story: [] });
    return "done";
  }
  const { log, clock, ledger } = engine;
  const dueAt =
    end.again === null ? null : end.exact ? end.again : Math.max(end.again, backoff(engine, job, clock.now()));
  const { kind, paymentId, storeId, attempts } = job;
  const why = { job: kind, paymentId, storeId, attempts, reason: end.error, requestId: end.requestId ?? null };
  if (dueAt === null) log.error("job.dead", why);
  else if (onlyWaited(end.error)) log.info("job.waits", why);
  else log.warn("job.retried", why);
  await ledger.commit({ retried: [{ id: job.id, dueAt, error: end.error }], story: [] });
  return dueAt === null ? "dead" : "again";
}

async function attempt(engine: Engine, job: Job): Promise<Ended> {
  try {
    return await run(engine, job);
  } catch (error) {
    const dead = codeOf(error) === "reconnect" || job.attempts >= limits.retries;
    return {
      again: dead ? null : engine.clock.now(),
      error: `${codeOf(error)}: ${safeReason(error)}`,
      requestId: requestIdOf(error),
    };
  }
}

async function run(engine: Engine, job: Job): Promise<Ended> {
  if (job.kind === "delivery") return await deliver(engine, job);
  if (!Object.hasOwn(WORK, job.kind))
    return { again: null, error: `unknown_job: this version does not know jobs of kind "${job.kind}".` };
  return await WORK[job.kind](engine, await mustFind(engine, job.paymentId ?? ""), job);
}

const WORK: Record<Exclude<JobKind, "delivery">, (engine: Engine, payment: Payment, job: Job) => Promise<Ended>> = {
  confirm: async (engine, payment, job) => {
    if (job.payload === "signal") return await confirm(engine, payment, "webhook");
    if (reportedTransaction(job.payload) !== null) return await awaitSuccess(engine, payment, job);
    if (job.payload !== "") return await check(engine, payment, job);
    return isRefused(payment) ? "done" : await confirm(engine, payment, "timer");
  },
  reopen: async (engine, payment) => endOf(engine, await reopenRivals(engine, payment)),
  hold: (engine, payment, job) => hold(engine, payment, JSON.parse(job.payload) as Finding),
  note: (engine, payment, job) => note(engine, payment, job.payload),
  refund: (engine, payment, job) => followRefund(engine, payment, job),
  "give-back": (engine, payment) => giveBack(engine, payment),
  pending: (engine, payment, job) => tellPending(engine, payment, job.payload),
  refuse: (engine, payment) => tellRefused(engine, payment),
};

async function deliver(engine: Engine, job: Job): Promise<Ended> {
  const { endpointId, digest } = JSON.parse(job.payload) as { endpointId: string; digest: string };
  const { outcome, paymentId, isUnread } = await processDelivery(engine, endpointId, digest);
  if (isUnread && job.attempts < limits.unreadableReads) {
    return { again: engine.clock.now(), error: "stale: the service does not show yet the transaction of the event." };
  }
  return { heard: { endpointId, digest, outcome, paymentId, at: engine.clock.now() } };
}

async function confirm(engine: Engine, payment: Payment, who: "timer" | "webhook"): Promise<Ended> {
  return endOf(engine, [await confirmPayment(engine, payment.id, { who })]);
}

// The service reports that this payment succeeded. A session that does not show it yet is read again: for a late success the
// next scheduled read may be a day away.
async function awaitSuccess(engine: Engine, found: Payment, { attempts, payload }: Job): Promise<Ended> {
  const confirmed = await confirmPayment(engine, found.id, { who: "webhook" });
  const end = endOf(engine, [confirmed]);
  const { state, finding, received, transactionId } = confirmed.payment;
  const reported = reportedTransaction(payload) || transactionId;
  if (received !== null && reported !== null && reported !== transactionId) {
    await keepTransaction(engine, found.id, reported);
  }
  if (end !== "done" || !UNPAID.has(state)) return end;
  const patience = finding === null ? limits.successReads : limits.unreadableReads;
  if (attempts >= patience) return "done";
  // What cannot be read for ten minutes is told to the operators; a session that is a moment behind is not.
  const error = finding === null ? "stale: the session does not show yet" : "unreadable: the service does not show";
  return { again: engine.clock.now(), error: `${error} what its event reported.` };
}

/** Nothing was read of these yet that counts as money. */
const UNPAID: ReadonlySet<PaymentState> = new Set(["open", "superseded", "expired", "closed"]);

// Told again at once, a store that refuses what the judge allows would refuse again, and so on for ever: from here on the
// scheduled reads and new signals look.
function isRefused({ state, storeWriteAt }: Payment): boolean {
  return state === "review" && storeWriteAt === null;
}

function endOf(engine: Engine, confirms: readonly Confirmed[]): Exclude<Ended, { heard: unknown }> {
  const open = confirms.filter(({ retryAt, error }) => retryAt !== null || error !== null);
  if (open.length === 0) return "done";
  const error = open.map((confirmed) => confirmed.error ?? "busy: somebody else is writing this order.").join(" ");
  const times = open.map(({ retryAt }) => retryAt).filter((at) => at !== null);
  const again = times.length === 0 ? null : Math.max(engine.clock.now(), Math.min(...times));
  return { again, error, exact: open.some(({ scheduled }) => scheduled === true) };
}

// A scheduled read. Whatever it finds, the next one is scheduled in the same commit that ends this one's turn.
async function check(engine: Engine, found: Payment, job: Job): Promise<Ended> {
  const { check: planned } = JSON.parse(job.payload) as { check: number };
  if (found.nextCheckAt !== planned) return "done";
  const end = found.state === "intent" && !isOld(engine, found) ? "done" : await confirm(engine, found, "timer");
  if (end !== "done") return end;
  const payment = await mustFind(engine, found.id);
  if (payment.nextCheckAt !== planned) return "done";
  const checked = { ...payment, checks: payment.checks + 1 };
  const nextCheckAt = nextCheck(checked, engine.clock.now());
  const next = { ...checked, nextCheckAt, version: payment.version + 1 };
  const commit = { payment: { next, expect: payment.version }, jobs: checkJob(next), story: [] };
  const answer = await engine.ledger.commit(commit);
  return answer === "done" ? "done" : { again: engine.clock.now(), error: "stale: the payment changed meanwhile." };
}

function isOld(engine: Engine, intent: Payment): boolean {
  return engine.clock.now() >= intent.createdAt + limits.keyLifeMs;
}

function backoff(engine: Engine, job: Job, now: number): number {
  const full = doublingWait(limits.retryFirstMs, limits.retryLongestMs, job.attempts);
  return now + Math.round(full * (0.75 + engine.random.fraction() / 2));
}
