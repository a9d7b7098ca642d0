import type { Finding } from "../domain/finding.ts";
import { deliveryJob, type JobTask, type NewJob, type NewPaymentJob, payloadOf } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import { hasCertainlyPaid, type PaidTransaction } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";

/** A job about one payment. */
export function jobOf({ id, ref }: Payment, task: JobTask, dueAt: number): NewPaymentJob {
  return { kind: task.kind, storeId: ref.storeId, paymentId: id, payload: payloadOf(task), dueAt };
}

/** The job of a payment's next scheduled read. A job whose time differs from the payment's `nextCheckAt` is stale. */
export function checkJob(payment: Payment): NewJob[] {
  if (payment.nextCheckAt === null) return [];
  return [jobOf(payment, { kind: "confirm", why: "check", at: payment.nextCheckAt }, payment.nextCheckAt)];
}

/**
 * The job that compares the order with the ledger, where a write to the store was tried and the payment does not count now. Whatever
 * bound of time was broken on the way, the two agree again, or a person is told.
 */
export function compareJobs(payment: Payment, now: number): NewPaymentJob[] {
  const job = { ...jobOf(payment, { kind: "compare" }, now + limits.compareAfterMs), once: true as const };
  return payment.storeTries === 0 ? [] : [job];
}

export function confirmJob(payment: Payment, dueAt: number): NewJob {
  return jobOf(payment, { kind: "confirm", why: "retry" }, dueAt);
}

/** The job that judges the payment again, also one that is held. */
export function signalJob(payment: Payment, dueAt: number): NewPaymentJob {
  return jobOf(payment, { kind: "confirm", why: "signal" }, dueAt);
}

/**
 * The job that shows the merchant the difference and, if `autoRefund` covers it, the job that refunds the payment. A difference
 * whose payment is refunded automatically is shown late, so that the merchant is asked to decide only if the refund was not made.
 */
export function holdJobs(engine: Engine, payment: Payment, finding: Finding, dueAt: number): NewJob[] {
  const isAutoRefund = engine.autoRefund.some((code) => code === finding.code);
  const hold = jobOf(payment, { kind: "hold", finding }, isAutoRefund ? dueAt + limits.autoRefundNoteMs : dueAt);
  return isAutoRefund ? [jobOf(payment, { kind: "auto-refund" }, dueAt), hold] : [hold];
}

/**
 * When a verified payment stops counting, its duplicates are judged again: one of them may now count. The wait lets
 * every process that still saw the payment as verified finish first.
 */
export function reopenJobs(before: Payment, now: number): NewJob[] {
  return before.state === "verified" ? [jobOf(before, { kind: "reopen" }, now + 2 * limits.reconfirmAfterMs)] : [];
}

/**
 * The job that shows the merchant a duplicate and, if `autoRefund` covers it, the job that refunds it. The note of a duplicate that
 * is refunded automatically comes late, so that it is added only if the refund was not made.
 */
export function duplicateJobs(engine: Engine, payment: Payment, dueAt: number): NewJob[] {
  const isAutoRefund = engine.autoRefund.includes("duplicate");
  const noteAt = isAutoRefund ? dueAt + limits.autoRefundNoteMs : dueAt;
  const note = jobOf(payment, { kind: "note", about: "duplicate" }, noteAt);
  return isAutoRefund ? [jobOf(payment, { kind: "auto-refund" }, dueAt), note] : [note];
}

/**
 * Whether an automatic refund of this payment may still be made, so that its merchant is not asked to decide before the jobs above ask.
 * `timeline`: of the payment or its order.
 */
export function awaitsAutoRefund(
  { autoRefund, clock }: Pick<Engine, "autoRefund" | "clock">,
  { id, state, finding }: Payment,
  timeline: readonly TimelineEntry[],
): boolean {
  const reason = state === "review" ? finding?.code : state;
  if (!autoRefund.some((code) => code === reason)) return false;
  const isReason = ({ paymentId, kind }: TimelineEntry) =>
    paymentId === id && (kind === "held" || kind === "duplicate");
  const since = timeline.findLast(isReason)?.at ?? 0;
  // The clocks of two processes may differ, and nobody is asked again after the job has asked.
  return clock.now() < since + limits.autoRefundNoteMs - limits.clockSkewMs;
}

/**
 * The jobs that write refunds to the store of a payment that its order shows from now on. A store can show a refund only on an order
 * that shows the refunded payment, so what it was told before may have become a note.
 */
export function shownRefundJobs(payment: Payment, refunds: readonly Refund[], dueAt: number): NewJob[] {
  return refunds
    .filter(({ origin, state }) => origin !== "store" && state === "completed")
    .map(({ key }) => jobOf(payment, { kind: "refund", key }, dueAt));
}

/**
 * The jobs that process again what events said of these transactions before anything tied them to a payment. Only names that became
 * certain are looked for: events of a refund or a dispute may name the transaction alone, by its id or by its code.
 */
export async function unmatchedDeliveryJobs(
  engine: Engine,
  before: readonly PaidTransaction[],
  after: readonly PaidTransaction[],
): Promise<readonly NewJob[]> {
  const known = new Set(namesOf(before));
  const deliveries = await unmatchedDeliveries(
    engine,
    namesOf(after).filter((name) => !known.has(name)),
  );
  const dueAt = engine.clock.now();
  return deliveries.map((delivery) => deliveryJob(delivery, dueAt));
}

/** Whether events about these transactions are still to be processed again. */
export async function hasUnmatchedDeliveries(
  engine: Engine,
  transactions: readonly PaidTransaction[],
): Promise<boolean> {
  return (await unmatchedDeliveries(engine, namesOf(transactions))).length > 0;
}

async function unmatchedDeliveries({ ledger }: Engine, names: readonly string[]) {
  return names.length === 0 ? [] : await ledger.unmatchedDeliveries(names);
}

function namesOf(transactions: readonly PaidTransaction[]): readonly string[] {
  return transactions.filter(hasCertainlyPaid).flatMap(({ id, code }) => (code === null ? [id] : [id, code]));
}
