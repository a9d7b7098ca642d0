import type { Finding } from "../domain/finding.ts";
import type { JobKind, NewJob, NewPaymentJob } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";

/** A job about one payment. `payload`: JSON, a short text such as a refund's key, or `""`. */
export function jobOf({ id, ref }: Payment, kind: JobKind, payload: string, dueAt: number): NewPaymentJob {
  return { kind, storeId: ref.storeId, paymentId: id, payload, dueAt };
}

/** The job of a payment's next scheduled read. A job whose time differs from the payment's `nextCheckAt` is stale. */
export function checkJob(payment: Payment): NewJob[] {
  if (payment.nextCheckAt === null) return [];
  return [jobOf(payment, "confirm", JSON.stringify({ check: payment.nextCheckAt }), payment.nextCheckAt)];
}

/**
 * The job that compares the order with the ledger, where a write to the store was tried and the payment does not count now. Whatever
 * bound of time was broken on the way, the two agree again, or a person is told.
 */
export function compareJobs(payment: Payment, now: number): NewJob[] {
  const job = { ...jobOf(payment, "compare", "", now + limits.compareAfterMs), once: true as const };
  return payment.storeTries === 0 ? [] : [job];
}

export function confirmJob(payment: Payment, dueAt: number): NewJob {
  return jobOf(payment, "confirm", "", dueAt);
}

/**
 * Why an event requests a confirm. `signal`: the payment may have changed. `success`: the service reports success, so the confirm
 * is repeated for a while until the session shows the success. The id of the event's transaction may follow the word `success`.
 */
export type ConfirmSignal = "signal" | "success" | `success ${string}`;

export function signalJob(payment: Payment, signal: ConfirmSignal, dueAt: number): NewPaymentJob {
  return jobOf(payment, "confirm", signal, dueAt);
}

/** The transaction id of a `success` signal; `""` where the signal names none, null for every other signal. */
export function reportedTransaction(signal: string): string | null {
  if (signal === "success") return "";
  return signal.startsWith("success ") ? signal.slice("success ".length) : null;
}

/**
 * The job that shows the merchant the difference and, if `autoRefund` covers it, the job that refunds the payment. A difference
 * whose payment is refunded automatically is shown late, so that the merchant is asked to decide only if the refund was not made.
 */
export function holdJobs(engine: Engine, payment: Payment, finding: Finding, dueAt: number): NewJob[] {
  const isAutoRefund = engine.autoRefund.some((code) => code === finding.code);
  const hold = jobOf(payment, "hold", JSON.stringify(finding), isAutoRefund ? dueAt + limits.autoRefundNoteMs : dueAt);
  return isAutoRefund ? [jobOf(payment, "auto-refund", "", dueAt), hold] : [hold];
}

/**
 * When a verified payment stops counting, its duplicates are judged again: one of them may now count. The wait lets
 * every process that still saw the payment as verified finish first.
 */
export function reopenJobs(before: Payment, now: number): NewJob[] {
  return before.state === "verified" ? [jobOf(before, "reopen", "", now + 2 * limits.reconfirmAfterMs)] : [];
}

/**
 * The job that shows the merchant a duplicate and, if `autoRefund` covers it, the job that refunds it. The note of a duplicate that
 * is refunded automatically comes late, so that it is added only if the refund was not made.
 */
export function duplicateJobs(engine: Engine, payment: Payment, dueAt: number): NewJob[] {
  const isAutoRefund = engine.autoRefund.includes("duplicate");
  const note = jobOf(payment, "note", "duplicate", isAutoRefund ? dueAt + limits.autoRefundNoteMs : dueAt);
  return isAutoRefund ? [jobOf(payment, "auto-refund", "", dueAt), note] : [note];
}

/**
 * The jobs that write refunds to the store of a payment that its order shows from now on. A store can show a refund only on an order
 * that shows the refunded payment, so what it was told before may have become a note.
 */
export function shownRefundJobs(payment: Payment, refunds: readonly Refund[], dueAt: number): NewJob[] {
  return refunds
    .filter(({ origin, state }) => origin !== "store" && state === "completed")
    .map(({ key }) => jobOf(payment, "refund", key, dueAt));
}

/** `transactionId`: the pending transaction; `""` where the event did not name it. */
export function pendingJob(payment: Payment, transactionId: string, dueAt: number): NewJob {
  return jobOf(payment, "pending", transactionId, dueAt);
}
