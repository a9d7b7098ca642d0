import { readEvent, type ServiceEvent } from "@tillkit/client/webhooks";
import { codeOf } from "../domain/checkout-error.ts";
import type { DeliveryOutcome } from "../domain/delivery.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import { safeText } from "../domain/safe-text.ts";
import { hasFailed, type StoryLine } from "../domain/story.ts";
import type { StoreErrorCode } from "../ports/store-adapter.ts";
import { adoptPayment } from "./adopt-payment.ts";
import { confirmPayment } from "./confirm-payment.ts";
import type { Confirmed } from "./confirmed.ts";
import type { Engine } from "./engine.ts";
import { findPayment } from "./find-payment.ts";
import { keepTransaction } from "./find-transaction.ts";
import { jobOf, pendingJob, type Signal, signalJob } from "./follow-up.ts";
import { learnDispute } from "./learn-dispute.ts";
import { keyOfMadeElsewhere, learnRefunds } from "./learn-refunds.ts";
import { type Standing, standingOf } from "./standing.ts";

/** Nothing of these can change by looking again at an event about a payment. */
const PROCESSED: ReadonlySet<PaymentState> = new Set(["recorded", "duplicate", "refunding", "refunded"]);

/** A store that does not even tell its order: not one job of all stores waits for it, but one of its own. */
const SAID_BY_STORES: ReadonlySet<string> = new Set(["unavailable", "unknown", "reconnect"] satisfies StoreErrorCode[]);

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

  const found = await findPayment(engine, endpoint, event);
  if (found.say === "foreign" && found.isUnread) return { outcome: "foreign", paymentId: null, isUnread: true };
  if (found.say === "foreign") return ignore(engine, endpointId, "foreign");
  const adopted = found.say === "orphan" ? await adoptPayment(engine, found.lost, endpoint) : null;
  if (found.say === "orphan" && !adopted) {
    await tell(engine, found.paymentId, "orphan", event.event);
    return ignore(engine, endpointId, "orphan", found.paymentId);
  }
  return await hear(engine, event, found.say === "ours" ? found.payments : adopted ? [adopted] : []);
}

async function hear(engine: Engine, event: ServiceEvent, payments: readonly Payment[]): Promise<Processed> {
  for (const payment of payments) {
    if (event.event.startsWith("REFUND_")) {
      if (!(await isOldNews(engine, payment, event))) await learnReported(engine, payment, event);
    } else if (event.event.startsWith("DISPUTE_")) await learnDispute(engine, payment.id, event);
    else if (!PROCESSED.has(payment.state)) await look(engine, payment, event, payments.length);
    else if (payments.length === 1) await keepNamed(engine, payment, event);
  }
  const [only] = payments;
  return { outcome: "heard", paymentId: payments.length === 1 && only ? only.id : null };
}

async function learnReported(engine: Engine, payment: Payment, { refundId }: ServiceEvent): Promise<void> {
  const known = await learnRefunds(engine, payment.id);
  if (refundId === undefined || known.some((refund) => refund.refundId === refundId)) return;
  const job = jobOf(payment, "refund", keyOfMadeElsewhere(refundId), lookSoon(engine));
  await engine.ledger.commit({ jobs: [{ ...job, once: true }], story: [] });
}

// What was read of a refund once it had its final answer stays so; whoever says something else of it is worth a read.
async function isOldNews(engine: Engine, payment: Payment, { event, refundId }: ServiceEvent): Promise<boolean> {
  const said = event === "REFUND_COMPLETED" ? "completed" : event === "REFUND_FAILED" ? "failed" : null;
  const known = await engine.ledger.refunds(payment.id);
  return known.some((refund) => refund.refundId !== null && refund.refundId === refundId && refund.state === said);
}

async function look(engine: Engine, payment: Payment, event: ServiceEvent, candidates: number): Promise<void> {
  // An event that names no payment is about one of several at most: it is no news about each of them.
  const isSuccess = event.event === "PAYMENT_SUCCEEDED" && candidates === 1;
  const signal = isSuccess ? successOf(event) : "signal";
  const standing = await confirmOrLeave(engine, payment, signal);
  const { received } = standing.payment;
  if (isSuccess && received === null) await leaveToStore(engine, payment, signal, lookSoon(engine));
  if (candidates === 1) await keepNamed(engine, standing.payment, event);
  if (standing.say !== "waiting") return;
  if (event.event === "PAYMENT_FAILED") await tellFailedTry(engine, payment, event);
  if (event.event === "PAYMENT_CREATED") await shopperActed(engine, standing.payment, event);
}

function successOf({ transactionId }: ServiceEvent): Signal {
  return transactionId === undefined ? "success" : `success ${safeText(transactionId)}`;
}

// A refund needs the transaction that paid, and its events name nothing else.
async function keepNamed(engine: Engine, payment: Payment, { event, transactionId }: ServiceEvent): Promise<void> {
  const isNews = transactionId !== undefined && transactionId !== payment.transactionId;
  if (event !== "PAYMENT_SUCCEEDED" || !isNews || payment.received === null) return;
  await keepTransaction(engine, payment.id, transactionId);
}

function lookSoon({ clock }: Engine): number {
  return clock.now() + limits.retryFirstMs;
}

async function confirmOrLeave(engine: Engine, payment: Payment, signal: Signal): Promise<Standing> {
  const release = engine.slots.take(payment.ref.storeId);
  if (!release) {
    await leaveToStore(engine, payment, signal, engine.clock.now());
    return standingOf(payment);
  }
  try {
    const confirmed = await confirmPayment(engine, payment.id, { who: "webhook" });
    const { retryAt, error } = confirmed;
    if (retryAt !== null || error !== null) await leaveToStore(engine, payment, signal, afterTry(engine, confirmed));
    return confirmed;
  } catch (error) {
    if (!SAID_BY_STORES.has(codeOf(error))) throw error;
    await leaveToStore(engine, payment, signal, lookSoon(engine));
    return standingOf(payment);
  } finally {
    release();
  }
}

// A store that failed is left alone for as long as after any first try, unless the platform itself names the time.
function afterTry({ clock }: Engine, { retryAt, error, scheduled }: Confirmed): number {
  if (retryAt !== null && (error === null || scheduled)) return retryAt;
  return Math.max(retryAt ?? 0, clock.now() + limits.retryFirstMs);
}

async function leaveToStore(engine: Engine, payment: Payment, signal: Signal, dueAt: number): Promise<void> {
  await engine.ledger.commit({ jobs: [{ ...signalJob(payment, signal, dueAt), once: true }], story: [] });
}

// The shopper may try again: a failed try is a line of the story, never the end of the order.
async function tellFailedTry(engine: Engine, payment: Payment, event: ServiceEvent): Promise<void> {
  const { failure_code: code } = event.data;
  const detail = safeText(`${typeof code === "string" ? code : ""} ${event.transactionId ?? ""}`.trim());
  const story = await engine.ledger.story({ paymentId: payment.id });
  if (story.some((line) => line.what === "attempt_failed" && line.detail === detail)) return;
  await tell(engine, payment.id, "attempt_failed", detail);
}

// Told once for each try. Events come out of order: a try that has failed already is no news.
async function shopperActed(engine: Engine, payment: Payment, event: ServiceEvent): Promise<void> {
  const store = await engine.store(payment.ref.storeId);
  const at = engine.clock.now();
  const detail = safeText(event.transactionId ?? "");
  const story = await engine.ledger.story({ paymentId: payment.id });
  if (story.some((line) => line.what === "acted" && line.detail === detail) || hasFailed(story, detail)) return;
  const jobs = store.markPending ? [pendingJob(payment, detail, at + limits.pendingAfterMs)] : [];
  await engine.ledger.commit({ jobs, story: [{ paymentId: payment.id, at, who: "shopper", what: "acted", detail }] });
}

async function tell(engine: Engine, paymentId: string, what: string, detail: string): Promise<void> {
  const line: StoryLine = { paymentId, at: engine.clock.now(), who: "webhook", what, detail };
  await engine.ledger.commit({ story: [line] });
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
