import { parseEvent, type ServiceEvent } from "@tillkit/client/webhooks";
import { applyDisputeEvent } from "../disputes/apply-dispute-event.ts";
import type { DeliveredEvent, DeliveredTransaction, DeliveryOutcome } from "../domain/delivery.ts";
import type { Payment } from "../domain/payment.ts";
import { safeText } from "../domain/safe-text.ts";
import type { Engine } from "../engine.ts";
import { keepReportedTransaction } from "../movements/identify-transaction.ts";
import { recordTransactions } from "../movements/record-transactions.ts";
import { signalJob } from "../payments/payment-jobs.ts";
import { recordEntry } from "../payments/record-entry.ts";
import type { WebhookEndpoint } from "../ports/tenants.ts";
import { recoverFromEvent } from "../recovery/recover-payment.ts";
import { adoptSession } from "../sessions/adopt-session.ts";
import { applyPaymentEvent, confirmOrQueue } from "./apply-payment-event.ts";
import { applyRefundEvent } from "./apply-refund-event.ts";
import { type Candidate, matchEvent, type OurNames } from "./match-event.ts";

/** `isUnread`: the service does not show the event's transaction yet, so the delivery is processed again later. */
export type Processed = {
  readonly outcome: DeliveryOutcome;
  readonly paymentId: string | null;
  readonly isUnread?: true;
  /** The transaction that the event of a refund or a dispute names, and that nothing ties to a payment yet. */
  readonly transactionId?: string;
  readonly event?: DeliveredEvent;
};

/**
 * Processes one stored delivery. The event is only a signal: the facts are read from the service. A repeated event is recognized
 * by the state of its payment and not by an event id: once the payment is final, the event costs no call to the service.
 *
 * All stores share the queue of deliveries, so a store that is busy or unavailable must not block it: the remaining work becomes
 * a job of that store, one job for many signals about the same payment.
 *
 * @throws CheckoutError `service_unavailable`, `ledger_busy` (retryable)
 */
export async function processDelivery(engine: Engine, endpointId: string, digest: string): Promise<Processed> {
  const delivery = await engine.ledger.delivery(endpointId, digest);
  const endpoint = await engine.tenants.endpoint(endpointId);
  if (!endpoint) return ignore(engine, endpointId, "endpoint_removed");
  const event = delivery && parseEvent(delivery.bytes);
  if (!event) return ignore(engine, endpointId, "unreadable");

  return {
    ...(await processEvent(engine, { endpointId, endpoint, event, receivedAt: delivery.receivedAt })),
    event: deliveredEvent(event),
  };
}

type ReceivedEvent = {
  readonly endpointId: string;
  readonly endpoint: WebhookEndpoint;
  readonly event: ServiceEvent;
  readonly receivedAt: number;
};

async function processEvent(engine: Engine, received: ReceivedEvent): Promise<Processed> {
  const { endpointId, endpoint, event } = received;
  const match = await matchEvent(engine, endpoint, event);
  if (match.kind === "ours") {
    return await applyEvent(engine, received, await withSession(engine, match.payment, match.named));
  }
  if (match.kind === "candidates") return await offerToCandidates(engine, match.candidates, match.isUnread);
  if (match.kind === "unrelated") {
    const untied = match.untied !== undefined && isMovement(event) ? { transactionId: match.untied } : {};
    return match.isUnread
      ? { outcome: "unrelated", paymentId: null, isUnread: true, ...untied }
      : { ...ignore(engine, endpointId, "unrelated"), ...untied };
  }
  const recovered = await recoverFromEvent(engine, match.lost, event, endpoint);
  if (recovered === "unread") return { outcome: "orphan", paymentId: match.paymentId, isUnread: true };
  if (recovered) return await applyEvent(engine, received, recovered);
  await recordEntry(engine, match.paymentId, "webhook", { kind: "orphan", event: String(event.event) });
  return ignore(engine, endpointId, "orphan", match.paymentId);
}

async function withSession(engine: Engine, payment: Payment, { sessionId, reference }: OurNames): Promise<Payment> {
  const isLost = payment.session === null && sessionId !== undefined && reference === payment.reference;
  return isLost ? await adoptSession(engine, payment, sessionId, "webhook") : payment;
}

async function applyEvent(engine: Engine, { event, receivedAt }: ReceivedEvent, payment: Payment): Promise<Processed> {
  const { storeId } = payment.ref;
  const detail = safeText(String(event.event));
  const step = { name: "process webhook", storeId, payment, detail, since: receivedAt } as const;
  const kept = await engine.tracing.step(step, async () => {
    const named = await keepMovedTransaction(engine, payment, event);
    if (event.event.startsWith("REFUND_")) await applyRefundEvent(engine, payment, event);
    else if (event.event.startsWith("DISPUTE_")) await applyDisputeEvent(engine, payment.id, event);
    else await applyPaymentEvent(engine, payment, event);
    if (isMovement(event) && payment.state === "closed") await judgeSoon(engine, payment);
    return named;
  });
  return { outcome: "processed", paymentId: payment.id, ...(kept === "unread" ? { isUnread: true } : {}) };
}

// The success events of a payment may all be lost, and its session names one of its transactions. A refund or a dispute of another one is
// found under that one alone, and must not count against the first.
async function keepMovedTransaction(engine: Engine, payment: Payment, event: ServiceEvent): Promise<"kept" | "unread"> {
  const { transactionId } = event;
  if (!isMovement(event) || transactionId === undefined) return "kept";
  return await keepReportedTransaction(engine, payment, transactionId);
}

// Money that goes back has arrived before, also where the payment was closed because no success was ever reported. Every other payment is read
// again anyway.
async function judgeSoon(engine: Engine, payment: Payment): Promise<void> {
  const job = { ...signalJob(payment, engine.clock.now()), once: true } as const;
  await engine.ledger.commit({ jobs: [job], timeline: [] });
}

function isMovement({ event }: ServiceEvent): boolean {
  return event.startsWith("REFUND_") || event.startsWith("DISPUTE_");
}

// The transaction may have paid any of these payments, or none. Each session is read once, and the session alone decides.
async function offerToCandidates(
  engine: Engine,
  candidates: readonly Candidate[],
  isUnread: boolean,
): Promise<Processed> {
  for (const { payment, transaction } of candidates) {
    await confirmOrQueue(engine, payment, { kind: "confirm", why: "signal" });
    if (transaction) await recordTransactions(engine, payment.id, [transaction]);
  }
  const [only] = candidates;
  const paymentId = candidates.length === 1 && only ? only.payment.id : null;
  return isUnread ? { outcome: "processed", paymentId, isUnread } : { outcome: "processed", paymentId };
}

function ignore(
  engine: Engine,
  endpointId: string,
  outcome: DeliveryOutcome,
  paymentId: string | null = null,
): Processed {
  const fields = { endpointId, outcome, paymentId };
  if (outcome === "orphan") engine.log.warn("webhook.orphan", fields);
  else engine.log.info("webhook.ignored", fields);
  return { outcome, paymentId };
}

const MAX_NAME_LENGTH = 60;

/** What operators see of an event. A text that does not have the form of an id or a name of the service is left out. */
function deliveredEvent(event: ServiceEvent): DeliveredEvent {
  const { timestamp } = event;
  return {
    name: safeText(String(event.event)).slice(0, MAX_NAME_LENGTH),
    at: timestamp !== undefined && Number.isSafeInteger(timestamp) ? timestamp : null,
    transaction: "transaction" in event && event.transaction ? deliveredTransaction(event.transaction) : null,
  };
}

type EventTransaction = NonNullable<Extract<ServiceEvent, { transaction?: unknown }>["transaction"]>;

function deliveredTransaction(transaction: EventTransaction): DeliveredTransaction {
  return {
    code: textOfForm(transaction.publicId, /^txn_\w{1,60}$/),
    method: textOfForm(transaction.providerCode, /^[A-Z][A-Z_]{0,19}$/),
    customerId: textOfForm(transaction.customerId, /^[\w-]{1,64}$/),
    wireFee: wholeNumber(transaction.feeAmount),
    wireNet: wholeNumber(transaction.netAmount),
  };
}

function textOfForm(text: string | undefined, pattern: RegExp): string | null {
  return text !== undefined && pattern.test(text) ? text : null;
}

function wholeNumber(value: number | undefined): number | null {
  return value !== undefined && Number.isSafeInteger(value) ? value : null;
}
