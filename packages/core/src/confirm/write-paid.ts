import { retryAtOf } from "../domain/checkout-error.ts";
import type { Finding } from "../domain/finding.ts";
import { type NewJob, WRITE_IN_FLIGHT } from "../domain/job.ts";
import { findPaidOutside, withKnownPayer } from "../domain/known-payer.ts";
import { limits } from "../domain/limits.ts";
import { readNotPayable } from "../domain/not-payable.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { Refund } from "../domain/refund.ts";
import type { EntryFacts } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import {
  compareJobs,
  confirmJob,
  duplicateJobs,
  holdJobs,
  reopenJobs,
  shownRefundJobs,
} from "../payments/payment-jobs.ts";
import { paymentStatusOf } from "../payments/payment-status.ts";
import { updatePayment } from "../payments/stored-payment.ts";
import type { StoreAdapter, StoreAnswer, StoreErrorCode } from "../ports/store-adapter.ts";
import {
  earliestWriteAt,
  platformRetryAt,
  readOrder,
  storeJobError,
  writeSettlesAt,
  writeToStore,
} from "../stores/call-store.ts";
import type { Fence } from "../stores/leases.ts";
import type { ConfirmResult } from "./confirm-result.ts";

/** Commits the intent to write: a later writer knows that a request may be in flight. Null: the lease was lost or the payment changed. */
export async function commitWriteIntent(engine: Engine, payment: Payment, fence: Fence): Promise<Payment | null> {
  const next = { ...payment, storeWriteAt: engine.clock.now(), version: payment.version + 1 };
  return (await commitIntent(engine, next, fence)) ? next : null;
}

/**
 * Commits the intent to call `markPaid`. This write is counted, and the platform's own retry schedule sets the time of the next
 * write. Null: the lease was lost or the payment changed.
 */
export async function commitPaidWriteIntent(
  engine: Engine,
  store: StoreAdapter,
  payment: Payment,
  fence: Fence,
): Promise<Payment | null> {
  const now = engine.clock.now();
  const next = {
    ...payment,
    storeWriteAt: now,
    storeRetryAt: platformRetryAt(store, payment.storeTries, now),
    storeTries: payment.storeTries + 1,
    version: payment.version + 1,
  };
  return (await commitIntent(engine, next, fence)) ? next : null;
}

async function commitIntent({ ledger }: Engine, next: Payment, fence: Fence): Promise<boolean> {
  const answer = await ledger.commit({ fence, payment: { next, expect: next.version - 1 }, timeline: [] });
  return answer === "done";
}

/**
 * Marks the order paid and records what the store answered.
 *
 * @param unansweredSince the time of the last earlier write without a response; null when there is none
 */
export async function writePaid(
  engine: Engine,
  store: StoreAdapter,
  payment: Payment,
  receipt: Receipt,
  unansweredSince: number | null,
): Promise<ConfirmResult> {
  const fence = { ref: receipt.ref, value: receipt.fence };
  try {
    const answer = await writeToStore(engine, payment, "pay", () => store.markPaid(receipt));
    const isAgainst = !("evidence" in answer);
    const settlesAt = isAgainst ? writeSettlesAt(store, { storeWriteAt: unansweredSince }) : null;
    if (settlesAt !== null && engine.clock.now() < settlesAt) {
      // The earlier request may still take effect if the order becomes payable again, so this answer is not final yet.
      const change = { storeWriteAt: unansweredSince };
      const result = await recordOutcome(engine, payment, fence, () => ({ change }));
      return { ...result, retryAt: settlesAt, error: WRITE_IN_FLIGHT };
    }
    const outside = answer.outcome === "other-payment" ? await readPaidOutside(engine, payment) : null;
    const refunds = isAgainst ? [] : await engine.ledger.refunds(payment.id);
    const storeWriteAt = isAgainst ? null : await writeUnderWay(engine, store, payment, unansweredSince);
    // The earlier request may take effect even later than it may.
    const compares = settlesAt === null ? [] : compareJobs(payment, engine.clock.now());
    return await recordOutcome(engine, payment, fence, (current) => {
      const outcome = outside
        ? outcomeOfRefusal(engine, current, outside)
        : outcomeOfAnswer(engine, current, answer, refunds);
      return {
        ...outcome,
        change: { ...outcome.change, storeWriteAt },
        jobs: [...(outcome.jobs ?? []), ...compares],
      };
    });
  } catch (error) {
    return await recordError(engine, store, payment, fence, { error, unansweredSince });
  }
}

// An order that shows the payment is written at once, while an earlier write without an answer may be that of a refund. Null: none is under way.
async function writeUnderWay(
  engine: Engine,
  store: StoreAdapter,
  payment: Payment,
  storeWriteAt: number | null,
): Promise<number | null> {
  const settlesAt = await earliestWriteAt(engine, store, "recordRefund", [{ ...payment, storeWriteAt }]);
  return engine.clock.now() < settlesAt ? storeWriteAt : null;
}

/** The merchant may have marked the order as paid during the request, or the order names a payment that is none of its own. */
async function readPaidOutside(engine: Engine, payment: Payment): Promise<Finding | null> {
  const order = await readOrder(engine, payment);
  return findPaidOutside(withKnownPayer(order, await engine.ledger.paymentsOfOrder(payment.ref)));
}

type WriteOutcome = {
  readonly change: Partial<Payment>;
  readonly jobs?: NewJob[];
  readonly entry?: EntryFacts;
};

function outcomeOfAnswer(
  engine: Engine,
  payment: Payment,
  answer: StoreAnswer,
  refunds: readonly Refund[],
): WriteOutcome {
  const now = engine.clock.now();
  // Only an answer that the order shows this payment has evidence.
  if ("evidence" in answer) {
    const { evidence } = answer;
    const state = afterFact(payment.state, "storeHasIt");
    return {
      change: { state, storeWriteAt: null, nextCheckAt: null, finding: null },
      jobs: shownRefundJobs(payment, refunds, now),
      entry: { kind: "recorded", evidence },
    };
  }
  if (answer.outcome === "other-payment") {
    return {
      change: { state: afterFact(payment.state, "duplicate"), storeWriteAt: null, nextCheckAt: null },
      jobs: duplicateJobs(engine, payment, now),
      entry: { kind: "duplicate", paidBy: answer.paidBy ?? undefined },
    };
  }
  if (answer.outcome === "gone") return outcomeOfRefusal(engine, payment, { code: "order_gone" });
  // An adapter in plain JavaScript may answer with a reason that is not known here.
  const why = readNotPayable(answer.why);
  return outcomeOfRefusal(engine, payment, { code: "order_not_payable", why });
}

function outcomeOfRefusal(engine: Engine, payment: Payment, finding: Finding): WriteOutcome {
  const now = engine.clock.now();
  return {
    change: { state: afterFact(payment.state, "storeRefuses"), storeWriteAt: null, finding },
    jobs: [...holdJobs(engine, payment, finding, now), ...reopenJobs(payment, now)],
    entry: { kind: "held", finding },
  };
}

async function recordError(
  engine: Engine,
  store: StoreAdapter,
  payment: Payment,
  fence: Fence,
  { error, unansweredSince }: { readonly error: unknown; readonly unansweredSince: number | null },
): Promise<ConfirmResult> {
  const jobError = storeJobError(error);
  const { code } = jobError;
  engine.log.warn("store.write_failed", { paymentId: payment.id, code, reason: jobError.message });
  const probeAt = retryAtOf(error);
  // The caller of the first write may never retry, so one job follows the platform's schedule from here on.
  const { storeRetryAt, storeTries } = payment;
  const dueAt = probeAt ?? storeRetryAt;
  const isFollowed = storeRetryAt !== null && dueAt !== null && storeTries === 1 && code !== "owner";
  const jobs = isFollowed ? [confirmJob(payment, dueAt)] : [];
  const isKnown = (await engine.ledger.timeline({ paymentId: payment.id })).at(-1)?.kind === `store_${code}`;
  const entry = isKnown && code === "reconnect" ? {} : { entry: { kind: `store_${code}` } as const };
  const confirmed = await recordOutcome(engine, payment, fence, () => ({
    change: afterFailure(payment, code, unansweredSince),
    jobs,
    ...entry,
  }));
  if (code === "owner") return { ...confirmed, retryAt: null, error: jobError };
  if (probeAt !== null) return { ...confirmed, retryAt: probeAt, error: jobError, isPlatformSchedule: true };
  const writableAt = await earliestWriteAt(engine, store, "markPaid", [confirmed.payment]);
  const retryAt = Math.max(storeRetryAt ?? engine.clock.now(), writableAt);
  return { ...confirmed, retryAt, error: jobError, isPlatformSchedule: storeRetryAt !== null };
}

// Only a write that certainly had no effect allows the next write at once; an earlier one without a response may still have it. A write that
// the store refused is none of those that the platform's schedule counts: its next try comes with the next probe.
function afterFailure({ storeTries }: Payment, code: StoreErrorCode, unansweredSince: number | null): Partial<Payment> {
  if (code === "unknown") return {};
  const isRefused = code === "reconnect";
  const refused = isRefused ? { storeRetryAt: null, storeTries: Math.max(1, storeTries - 1) } : {};
  return { storeWriteAt: unansweredSince, ...refused };
}

// A comparison that waits already may end before this answer has had its effect: it knows nothing of it.
async function compareLater(engine: Engine, written: Payment): Promise<void> {
  const jobs = compareJobs(written, engine.clock.now()).map(({ once: _once, ...job }) => job);
  await engine.ledger.commit({ jobs, timeline: [] });
}

// Another process may have changed the payment in the meantime; the store's answer must not be lost.
async function recordOutcome(
  engine: Engine,
  written: Payment,
  fence: Fence,
  outcomeFor: (payment: Payment) => WriteOutcome,
): Promise<ConfirmResult> {
  const updateFor = (payment: Payment) => {
    const { entry, ...outcome } = outcomeFor(payment);
    const context = { paymentId: payment.id, at: engine.clock.now(), actor: "store" } as const;
    return { ...outcome, timeline: entry ? [{ ...context, ...entry }] : [] };
  };
  const { status, payment } = await updatePayment(engine, written.id, updateFor, { payment: written, fence });
  // An answer under a lost lease is evidence that the store may show what the ledger does not say.
  if (status !== "updated") await compareLater(engine, written);
  // If the lease was lost, the write intent stays: the next writer waits, reads the order, and sees whether the write took effect.
  const retryAt = status === "updated" ? null : engine.clock.now() + limits.orderBusyRetryMs;
  return { ...paymentStatusOf(payment), retryAt, error: null };
}
