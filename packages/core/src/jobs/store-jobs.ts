import { commitWriteIntent } from "../confirm/write-paid.ts";
import { isDisputeNote } from "../disputes/apply-dispute-event.ts";
import { type Finding, sameFinding } from "../domain/finding.ts";
import { exponentialBackoff, type Job } from "../domain/job.ts";
import { findPaidOutside, NOT_PAYABLE } from "../domain/judge.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import { hasFailedAttempt } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { signalJob } from "../payments/payment-jobs.ts";
import { updatePayment } from "../payments/update-payment.ts";
import type { StoreAdapter } from "../ports/store-adapter.ts";
import { resumeRefund } from "../refunds/refund-payment.ts";
import { externalRefundId, syncRefunds } from "../refunds/sync-refunds.ts";
import { refundRemaining } from "../reviews/decide-review.ts";
import { callStore, earliestWriteAt, readOrder, readOrderOrUnreadable, storeErrorCode } from "../stores/call-store.ts";
import { renewOrderLease, withOrderLease } from "../stores/order-lease.ts";
import { explainDuplicate } from "../timeline/explain-payment.ts";
import { addDisputeNote } from "./add-dispute-note.ts";
import type { JobResult } from "./job-result.ts";

/** Shows the owner a payment under review, unless there is nothing to show any more. */
export async function showHold(engine: Engine, payment: Payment, finding: Finding): Promise<JobResult> {
  // The owner decided, or a later reading said something else: nothing to hold any more.
  const isHeld = (current: Payment) => current.state === "review" && sameFinding(current.finding, finding);
  return await writeUnderLease(engine, payment, isHeld, (store, { ref, attempt }) =>
    store.holdForReview(ref, attempt, finding),
  );
}

/** Tells the store of a refund that it did not ask for itself; goes on with one whose outcome is not known yet. */
export async function followUpRefund(
  engine: Engine,
  payment: Payment,
  { payload: key, attempts }: Job,
): Promise<JobResult> {
  const refund = await resumeRefund(engine, payment.id, key);
  if (refund?.state === "pending") await syncRefunds(engine, payment.id);
  const now = (await engine.ledger.refunds(payment.id)).find((one) => one.key === key);
  if (!now) return await awaitReportedRefund(engine, payment, key, attempts);
  const { state, origin } = now;
  if (state !== "completed" && state !== "failed") {
    const longer = exponentialBackoff(limits.refundCheckMs, limits.refundCheckLongestMs, attempts);
    const waitMs = state === "pending" ? longer : 0;
    return { retryAt: engine.clock.now() + waitMs, error: `${state}: the refund has no final answer yet.` };
  }
  return origin === "store" ? "done" : await recordRefundInStore(engine, payment, now);
}

// A refund that an event reported and that nobody can read yet: lists lag behind events, and its transaction may be unreadable.
async function awaitReportedRefund(
  engine: Engine,
  payment: Payment,
  key: string,
  attempts: number,
): Promise<JobResult> {
  const refundId = externalRefundId(key);
  if (refundId === null) return "done";
  const known = await syncRefunds(engine, payment.id);
  // Attempts count an outage too, so the job gives up only after a list that could be read.
  if (known.some((refund) => refund.refundId === refundId) || attempts > limits.unreadableReads) return "done";
  return { retryAt: engine.clock.now(), error: "stale: the service's list does not show yet the refund of the event." };
}

/** Tells the store of a refund that has its final answer. */
async function recordRefundInStore(engine: Engine, payment: Payment, refund: Refund): Promise<JobResult> {
  const { refundId, key, state, amount } = refund;
  if (state !== "completed" && state !== "failed") return "done";
  return await writeUnderLease(engine, payment, always, async (store, { id: paymentId, ref, attempt }) => {
    await store.recordRefund?.({ paymentId, refundId: refundId ?? "", key, ref, attempt, amount, status: state });
  });
}

/** A note for the order: `duplicate`, `dispute:ID:STATUS`, or `refund_failed:KEY` for a refund that the store was told is under way. */
export async function addOrderNote(engine: Engine, payment: Payment, what: string): Promise<JobResult> {
  if (what === "duplicate") return await addDuplicateNote(engine, payment);
  if (isDisputeNote(what)) return await addDisputeNote(engine, payment, what);
  const refunds = await engine.ledger.refunds(payment.id);
  const refund = refunds.find(({ key }) => what === `refund_failed:${key}`);
  return refund ? await recordRefundInStore(engine, payment, refund) : "done";
}

/** Refunds money that cannot count, because the merchant made that the rule. */
export async function autoRefund(engine: Engine, payment: Payment): Promise<JobResult> {
  if (payment.state !== "duplicate" && payment.state !== "review") return "done";
  const stillApplies = async () => !(await hasOwnerDecided(engine, payment));
  if (!(await stillApplies())) {
    // The next confirm counts the payment as accepted, or holds it with the new reason.
    await engine.ledger.commit({ jobs: [signalJob(payment, "signal", engine.clock.now())], timeline: [] });
    return "done";
  }
  const refund = await refundRemaining(engine, payment, { kind: "rule", stillApplies });
  engine.log.info("refund.by_rule", { paymentId: payment.id, state: refund.state });
  return "done";
}

// Between the verdict and this job the owner may have set the order to paid, or opened it again: nothing goes back by rule then.
async function hasOwnerDecided(engine: Engine, payment: Payment): Promise<boolean> {
  const order = await readOrderOrUnreadable(engine, payment);
  if (order === null || order === "unreadable") return false;
  // A store that refused this very payment may well offer its order to another one.
  const isOpenAgain = payment.finding?.found === NOT_PAYABLE && order.payable;
  return isOpenAgain || findPaidOutside(order) !== null;
}

/** Tells a platform that no money will come for this try. Only when every payment of it ended without any. */
export async function markRefused(engine: Engine, payment: Payment): Promise<JobResult> {
  const store = await engine.store(payment.ref.storeId);
  const { markRefused } = store;
  if (!markRefused) return "done";
  const tries = (await engine.ledger.siblings(payment.ref)).filter(({ attempt }) => attempt === payment.attempt);
  if (tries.some(({ state }) => state !== "closed")) return "done";
  const isClosed = (current: Payment) => current.state === "closed";
  return await writeUnderLease(engine, payment, isClosed, async (_store, { ref, attempt }) => {
    await markRefused.call(store, ref, attempt, NOT_PAID);
  });
}

const NOT_PAID: Finding = { code: "not_paid", expected: "a payment", found: "none within the time of grace" };

const always = () => true;

// Every write to a store: one writer per order, and nobody writes while an older request may still land.
async function writeUnderLease(
  engine: Engine,
  payment: Payment,
  isWanted: (current: Payment) => boolean,
  write: (store: StoreAdapter, noted: Payment) => Promise<void>,
): Promise<JobResult> {
  const ended = await withOrderLease(engine, payment.ref, async (fence): Promise<JobResult> => {
    const store = await engine.store(payment.ref.storeId);
    const writable = earliestWriteAt(store, await engine.ledger.siblings(payment.ref));
    if (writable > engine.clock.now())
      return { retryAt: writable, error: "settling: an earlier write may still land." };
    const current = await getPayment(engine, payment.id);
    if (!isWanted(current)) return "done";
    const noted = (await renewOrderLease(engine, fence)) ? await commitWriteIntent(engine, current, fence) : null;
    if (!noted) return { retryAt: engine.clock.now(), error: "stale: the payment changed meanwhile." };
    try {
      await callStore(engine, noted, () => write(store, noted));
    } catch (error) {
      if (storeErrorCode(error) !== "unknown") await clearWriteIntent(engine, noted);
      throw error;
    }
    await clearWriteIntent(engine, noted);
    return "done";
  });
  return (
    ended ?? { retryAt: engine.clock.now() + limits.orderBusyMs, error: "busy: somebody else is writing this order." }
  );
}

// A finished write must not look as if it were still under way because another process changed the payment meanwhile.
async function clearWriteIntent(engine: Engine, noted: Payment): Promise<void> {
  await updatePayment(engine, noted.id, ({ storeWriteAt }) =>
    storeWriteAt === noted.storeWriteAt ? { change: { storeWriteAt: null } } : null,
  );
}

async function addDuplicateNote(engine: Engine, payment: Payment): Promise<JobResult> {
  const store = await engine.store(payment.ref.storeId);
  if (!store.addNote) return "done";
  const order = await readOrder(engine, payment);
  const text = explainDuplicate(payment, order?.language ?? "en");
  await callStore(engine, payment, async () => store.addNote?.(payment.ref, `duplicate:${payment.id}`, text));
  return "done";
}

/** Tells a platform that money may come of a try that has neither succeeded nor failed yet. */
export async function markPending(engine: Engine, payment: Payment, transactionId: string): Promise<JobResult> {
  const store = await engine.store(payment.ref.storeId);
  if (payment.state !== "open" || !store.markPending) return "done";
  if (hasFailedAttempt(await engine.ledger.timeline({ paymentId: payment.id }), transactionId)) return "done";
  // A wallet may confirm after the session lapsed: the platform must not give up before we do.
  const until = (payment.session?.expiresAt ?? engine.clock.now()) + limits.graceMs;
  await callStore(engine, payment, async () => store.markPending?.(payment.ref, payment.attempt, until));
  return "done";
}
