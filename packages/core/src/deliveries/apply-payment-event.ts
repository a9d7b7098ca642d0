import type { ServiceEvent } from "@tillkit/client/webhooks";
import { confirmPayment, isConfirmed } from "../confirm/confirm-payment.ts";
import type { ConfirmResult } from "../confirm/confirm-result.ts";
import { codeOf } from "../domain/checkout-error.ts";
import type { TaskOf } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import { safeText } from "../domain/safe-text.ts";
import { hasEntry, hasFailedAttempt } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { keepReportedTransaction } from "../movements/identify-transaction.ts";
import { jobOf } from "../payments/payment-jobs.ts";
import { type PaymentStatus, paymentStatusOf } from "../payments/payment-status.ts";
import { rememberProvider } from "../payments/read-provider.ts";
import { recordNews } from "../payments/record-entry.ts";
import type { StoreErrorCode } from "../ports/store-adapter.ts";

type ConfirmTask = TaskOf<"confirm">;

/** After one of these errors a job of the store does the rest, so that deliveries of other stores do not wait. */
const STORE_ERRORS: ReadonlySet<string> = new Set([
  "unavailable",
  "unknown",
  "reconnect",
  "owner",
] satisfies StoreErrorCode[]);

/** Confirms the payment that a PAYMENT_* event is about. */
export async function applyPaymentEvent(engine: Engine, payment: Payment, event: ServiceEvent): Promise<void> {
  if (isConfirmed(payment)) await keepEventTransaction(engine, payment, event);
  else await confirmForEvent(engine, payment, event);
}

async function confirmForEvent(engine: Engine, payment: Payment, event: ServiceEvent): Promise<void> {
  const reportsSuccess = event.event === "PAYMENT_SUCCEEDED";
  const task: ConfirmTask = reportsSuccess
    ? { kind: "confirm", why: "success", transactionId: event.transactionId }
    : { kind: "confirm", why: "signal" };
  if (reportsSuccess && "transaction" in event && event.transaction) {
    const { id, providerCode: provider } = event.transaction;
    await rememberProvider(engine, payment, { id, provider });
  }
  const { status, payment: confirmed, isQueued } = await confirmOrQueue(engine, payment, task);
  const isBehindEvent = reportsSuccess && confirmed.amountReceived === null;
  if (isBehindEvent) await queueConfirm(engine, payment, task, firstRetryAt(engine));
  // The job reads the event's transaction too. A delivery that failed here would add a job at each of its own retries.
  if (!isQueued) await keepEventTransaction(engine, confirmed, event);
  if (status !== "waiting") return;
  if (event.event === "PAYMENT_FAILED") await recordFailedAttempt(engine, payment, event);
  if (event.event === "PAYMENT_CREATED") await recordShopperAction(engine, confirmed, event);
}

// A later refund needs the id of the transaction that paid: the events of a refund name this transaction and no session. A second
// completed transaction of the session is found here too.
async function keepEventTransaction(
  engine: Engine,
  payment: Payment,
  { event, transactionId }: ServiceEvent,
): Promise<void> {
  const isNew = transactionId !== undefined && transactionId !== payment.transactionId;
  if (event !== "PAYMENT_SUCCEEDED" || !isNew || payment.amountReceived === null) return;
  await keepReportedTransaction(engine, payment, transactionId);
}

/** Confirms a payment now, or by a job where its store is busy or cannot be reached. `isQueued`: a job does the rest. */
export async function confirmOrQueue(
  engine: Engine,
  payment: Payment,
  task: ConfirmTask,
): Promise<PaymentStatus & { readonly isQueued: boolean }> {
  const release = engine.storeConcurrency.acquire(payment.ref.storeId);
  if (!release) {
    await queueConfirm(engine, payment, task, engine.clock.now());
    return { ...paymentStatusOf(payment), isQueued: true };
  }
  const transactionId = task.why === "success" ? task.transactionId : undefined;
  try {
    const confirmed = await confirmPayment(engine, payment.id, { actor: "webhook", payment, transactionId });
    const isQueued = confirmed.retryAt !== null || confirmed.error !== null;
    if (isQueued) await queueConfirm(engine, payment, task, retryTimeAfter(engine, confirmed));
    return { ...confirmed, isQueued };
  } catch (error) {
    if (!STORE_ERRORS.has(codeOf(error))) throw error;
    await queueConfirm(engine, payment, task, firstRetryAt(engine));
    return { ...paymentStatusOf(payment), isQueued: true };
  } finally {
    release();
  }
}

// After a failed write the next write waits at least `retryFirstMs`, unless the platform prescribes the time of its retries.
function retryTimeAfter(engine: Engine, { retryAt, error, isPlatformSchedule }: ConfirmResult): number {
  if (retryAt !== null && (error === null || isPlatformSchedule)) return retryAt;
  return Math.max(retryAt ?? 0, firstRetryAt(engine));
}

function firstRetryAt({ clock }: Engine): number {
  return clock.now() + limits.retryFirstMs;
}

async function queueConfirm(engine: Engine, payment: Payment, task: ConfirmTask, dueAt: number): Promise<void> {
  await engine.ledger.commit({ jobs: [{ ...jobOf(payment, task, dueAt), once: true }], timeline: [] });
}

// The shopper may try again, so a failed attempt adds only a timeline entry.
async function recordFailedAttempt(engine: Engine, payment: Payment, event: ServiceEvent): Promise<void> {
  const { failure_code: failureCode } = event.data;
  const code = typeof failureCode === "string" ? safeText(failureCode) : undefined;
  await recordNews(engine, payment.id, { kind: "attempt_failed", code, transactionId: event.transactionId });
}

// The shopper's action is recorded once for each attempt. Events arrive out of order, so an attempt that has failed already is skipped.
async function recordShopperAction(engine: Engine, payment: Payment, event: ServiceEvent): Promise<void> {
  const store = await engine.store(payment.ref.storeId);
  const at = engine.clock.now();
  const { transactionId } = event;
  const timeline = await engine.ledger.timeline({ paymentId: payment.id });
  if (hasEntry(timeline, { kind: "acted", transactionId }) || hasFailedAttempt(timeline, transactionId)) return;
  const task = { kind: "pending", transactionId } as const;
  const jobs = store.markPending ? [jobOf(payment, task, at + limits.pendingAfterMs)] : [];
  const entry = { paymentId: payment.id, at, actor: "shopper", kind: "acted", transactionId } as const;
  await engine.ledger.commit({ jobs, timeline: [entry] });
}
