import { readEvent, type ServiceEvent } from "@tillkit/client/webhooks";
import { confirmPayment } from "../confirm/confirm-payment.ts";
import type { ConfirmResult } from "../confirm/confirm-result.ts";
import { applyDisputeEvent } from "../disputes/apply-dispute-event.ts";
import { codeOf } from "../domain/checkout-error.ts";
import type { DeliveryOutcome } from "../domain/delivery.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import { safeText } from "../domain/safe-text.ts";
import { hasFailedAttempt, type TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { type ConfirmSignal, jobOf, pendingJob, signalJob } from "../payments/payment-jobs.ts";
import { type PaymentStatus, paymentStatusOf } from "../payments/payment-status.ts";
import type { StoreErrorCode } from "../ports/store-adapter.ts";
import { recoverPayment } from "../recovery/recover-payment.ts";
import { externalRefundKey, syncRefunds } from "../refunds/sync-refunds.ts";
import { keepTransaction } from "../sessions/find-transaction.ts";
import { matchEvent } from "./match-event.ts";

/** Nothing of these can change by looking again at an event about a payment. */
const SETTLED_STATES: ReadonlySet<PaymentState> = new Set(["recorded", "duplicate", "refunding", "refunded"]);

/** A store that does not even tell its order: not one job of all stores waits for it, but one of its own. */
const STORE_ERRORS: ReadonlySet<string> = new Set(["unavailable", "unknown", "reconnect"] satisfies StoreErrorCode[]);

/** `isUnread`: what it is about could not be read; the same delivery may say more in a moment. */
export type Processed = {
  readonly outcome: DeliveryOutcome;
  readonly paymentId: string | null;
  readonly isUnread?: true;
};

/**
 * What a stored delivery leads to. It is only a signal: the truth is read from the service. Deduplicated on *processed*:
 * once the payment reached its end, a repeated event costs no call, whatever its id.
 *
 * A store that is busy, or cannot be told now, does not hold up deliveries, which belong to all stores: what is left to do
 * for its payment becomes work of that store. Many signals about one payment become one such piece of work.
 */
export async function processDelivery(engine: Engine, endpointId: string, digest: string): Promise<Processed> {
  const [delivery, endpoint] = [
    await engine.ledger.delivery(endpointId, digest),
    await engine.tenants.endpoint(endpointId),
  ];
  if (!endpoint) return ignore(engine, endpointId, "endpoint_removed");
  const event = delivery && readEvent(delivery.bytes);
  if (!event) return ignore(engine, endpointId, "unreadable");

  const found = await matchEvent(engine, endpoint, event);
  if (found.kind === "unrelated" && found.isUnread) return { outcome: "unrelated", paymentId: null, isUnread: true };
  if (found.kind === "unrelated") return ignore(engine, endpointId, "unrelated");
  const adopted = found.kind === "orphan" ? await recoverPayment(engine, found.lost, endpoint) : null;
  if (found.kind === "orphan" && !adopted) {
    await recordEntry(engine, found.paymentId, "orphan", event.event);
    return ignore(engine, endpointId, "orphan", found.paymentId);
  }
  return await applyEvent(engine, event, found.kind === "ours" ? found.payments : adopted ? [adopted] : []);
}

async function applyEvent(engine: Engine, event: ServiceEvent, payments: readonly Payment[]): Promise<Processed> {
  for (const payment of payments) {
    if (event.event.startsWith("REFUND_")) {
      if (!(await isRefundKnown(engine, payment, event))) await syncReportedRefund(engine, payment, event);
    } else if (event.event.startsWith("DISPUTE_")) await applyDisputeEvent(engine, payment.id, event);
    else if (!SETTLED_STATES.has(payment.state)) await verifyForEvent(engine, payment, event, payments.length);
    else if (payments.length === 1) await keepEventTransaction(engine, payment, event);
  }
  const [only] = payments;
  return { outcome: "processed", paymentId: payments.length === 1 && only ? only.id : null };
}

async function syncReportedRefund(engine: Engine, payment: Payment, { refundId }: ServiceEvent): Promise<void> {
  const known = await syncRefunds(engine, payment.id);
  if (refundId === undefined || known.some((refund) => refund.refundId === refundId)) return;
  const job = jobOf(payment, "refund", externalRefundKey(refundId), soon(engine));
  await engine.ledger.commit({ jobs: [{ ...job, once: true }], timeline: [] });
}

// What was read of a refund once it had its final answer stays so; whoever says something else of it is worth a read.
async function isRefundKnown(engine: Engine, payment: Payment, { event, refundId }: ServiceEvent): Promise<boolean> {
  const said = event === "REFUND_COMPLETED" ? "completed" : event === "REFUND_FAILED" ? "failed" : null;
  const known = await engine.ledger.refunds(payment.id);
  return known.some((refund) => refund.refundId !== null && refund.refundId === refundId && refund.state === said);
}

async function verifyForEvent(
  engine: Engine,
  payment: Payment,
  event: ServiceEvent,
  candidates: number,
): Promise<void> {
  // An event that names no payment is about one of several at most: it is no news about each of them.
  const isSuccess = event.event === "PAYMENT_SUCCEEDED" && candidates === 1;
  const signal = isSuccess ? successSignal(event) : "signal";
  const standing = await confirmOrQueue(engine, payment, signal);
  const { amountReceived } = standing.payment;
  if (isSuccess && amountReceived === null) await queueForStore(engine, payment, signal, soon(engine));
  if (candidates === 1) await keepEventTransaction(engine, standing.payment, event);
  if (standing.status !== "waiting") return;
  if (event.event === "PAYMENT_FAILED") await recordFailedAttempt(engine, payment, event);
  if (event.event === "PAYMENT_CREATED") await recordShopperAction(engine, standing.payment, event);
}

function successSignal({ transactionId }: ServiceEvent): ConfirmSignal {
  return transactionId === undefined ? "success" : `success ${safeText(transactionId)}`;
}

// A refund needs the transaction that paid, and its events name nothing else.
async function keepEventTransaction(
  engine: Engine,
  payment: Payment,
  { event, transactionId }: ServiceEvent,
): Promise<void> {
  const isNews = transactionId !== undefined && transactionId !== payment.transactionId;
  if (event !== "PAYMENT_SUCCEEDED" || !isNews || payment.amountReceived === null) return;
  await keepTransaction(engine, payment.id, transactionId);
}

function soon({ clock }: Engine): number {
  return clock.now() + limits.retryFirstMs;
}

async function confirmOrQueue(engine: Engine, payment: Payment, signal: ConfirmSignal): Promise<PaymentStatus> {
  const release = engine.storeConcurrency.acquire(payment.ref.storeId);
  if (!release) {
    await queueForStore(engine, payment, signal, engine.clock.now());
    return paymentStatusOf(payment);
  }
  try {
    const confirmed = await confirmPayment(engine, payment.id, { actor: "webhook" });
    const { retryAt, error } = confirmed;
    if (retryAt !== null || error !== null)
      await queueForStore(engine, payment, signal, retryTimeAfter(engine, confirmed));
    return confirmed;
  } catch (error) {
    if (!STORE_ERRORS.has(codeOf(error))) throw error;
    await queueForStore(engine, payment, signal, soon(engine));
    return paymentStatusOf(payment);
  } finally {
    release();
  }
}

// A store that failed is left alone for as long as after any first try, unless the platform itself names the time.
function retryTimeAfter({ clock }: Engine, { retryAt, error, isPlatformSchedule }: ConfirmResult): number {
  if (retryAt !== null && (error === null || isPlatformSchedule)) return retryAt;
  return Math.max(retryAt ?? 0, clock.now() + limits.retryFirstMs);
}

async function queueForStore(engine: Engine, payment: Payment, signal: ConfirmSignal, dueAt: number): Promise<void> {
  await engine.ledger.commit({ jobs: [{ ...signalJob(payment, signal, dueAt), once: true }], timeline: [] });
}

// The shopper may try again: a failed try is a line of the story, never the end of the order.
async function recordFailedAttempt(engine: Engine, payment: Payment, event: ServiceEvent): Promise<void> {
  const { failure_code: code } = event.data;
  const detail = safeText(`${typeof code === "string" ? code : ""} ${event.transactionId ?? ""}`.trim());
  const story = await engine.ledger.timeline({ paymentId: payment.id });
  if (story.some((line) => line.kind === "attempt_failed" && line.detail === detail)) return;
  await recordEntry(engine, payment.id, "attempt_failed", detail);
}

// Told once for each try. Events come out of order: a try that has failed already is no news.
async function recordShopperAction(engine: Engine, payment: Payment, event: ServiceEvent): Promise<void> {
  const store = await engine.store(payment.ref.storeId);
  const at = engine.clock.now();
  const detail = safeText(event.transactionId ?? "");
  const story = await engine.ledger.timeline({ paymentId: payment.id });
  if (story.some((line) => line.kind === "acted" && line.detail === detail) || hasFailedAttempt(story, detail)) return;
  const jobs = store.markPending ? [pendingJob(payment, detail, at + limits.pendingAfterMs)] : [];
  await engine.ledger.commit({
    jobs,
    timeline: [{ paymentId: payment.id, at, actor: "shopper", kind: "acted", detail }],
  });
}

async function recordEntry(engine: Engine, paymentId: string, what: string, detail: string): Promise<void> {
  const line: TimelineEntry = { paymentId, at: engine.clock.now(), actor: "webhook", kind: what, detail };
  await engine.ledger.commit({ timeline: [line] });
}

function ignore(
  engine: Engine,
  endpointId: string,
  outcome: DeliveryOutcome,
  paymentId: string | null = null,
): Processed {
  const fields = { endpointId, why: outcome, paymentId };
  if (outcome === "orphan") engine.log.warn("webhook.orphan", fields);
  else engine.log.info("webhook.not_ours", fields);
  return { outcome, paymentId };
}
