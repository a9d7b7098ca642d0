import type { ServiceEvent } from "@tillkit/client/webhooks";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import type { PaymentKey } from "../ports/payment-ledger.ts";
import type { TransactionReading } from "../ports/service.ts";
import type { WebhookEndpoint } from "../ports/tenants.ts";
import type { LostPayment } from "../recovery/recover-payment.ts";
import { type OurMetadata, readOurMetadata } from "../signing/our-metadata.ts";
import { claimedPaymentId, readReference } from "../signing/reference.ts";

/**
 * The payments that an event is about. `ours`: our payments, usually one payment. `orphan`: the event carries our reference, but the
 * payment is missing from the ledger. `unrelated`: the event belongs to another integration on the same API key. `isUnread`: the
 * service does not show the event's transaction yet, so the match may change.
 */
export type EventMatch =
  | { readonly kind: "ours"; readonly payments: readonly Payment[] }
  | { readonly kind: "orphan"; readonly paymentId: string; readonly lost: LostPayment }
  | { readonly kind: "unrelated"; readonly isUnread?: true };

/**
 * Matches by session id, then by our reference, then by transaction id, then among open payments; never by an order number.
 *
 * @throws CheckoutError `service_unavailable`
 */
export async function matchEvent(engine: Engine, endpoint: WebhookEndpoint, event: ServiceEvent): Promise<EventMatch> {
  const found = await matchInLedger(engine, endpoint, event);
  if (found) return found;
  const { transactionId } = event;
  const read = transactionId === undefined ? null : await matchTransaction(engine, endpoint, event, transactionId);
  if (read?.match) return read.match;
  if (event.event === "PAYMENT_SUCCEEDED") return await matchOpenPayments(engine, endpoint, read?.transaction ?? null);
  const isUnread = read !== null && read.transaction === null;
  return isUnread ? { kind: "unrelated", isUnread } : { kind: "unrelated" };
}

/** Matches from the ledger alone. Null: only the service can identify the payment. */
export async function matchInLedger(
  engine: Engine,
  endpoint: WebhookEndpoint,
  event: ServiceEvent,
): Promise<EventMatch | null> {
  if (event.environment !== undefined && event.environment !== endpoint.environment) return { kind: "unrelated" };
  const { sessionId, transactionId } = event;
  const ids = { sessionId, transactionId, ...readOurMetadata(event.metadata) };
  const found = await matchIds(engine, endpoint, ids);
  if (found) return found;
  return sessionId !== undefined || ids.reference !== undefined ? { kind: "unrelated" } : null;
}

/** The identifiers that an event or a transaction carries. */
type EventIds = OurMetadata & { readonly sessionId: string | undefined; readonly transactionId: string | undefined };

async function matchIds(engine: Engine, endpoint: WebhookEndpoint, ids: EventIds): Promise<EventMatch | null> {
  const { sessionId, transactionId, ...metadata } = ids;
  const { reference } = metadata;
  const paymentId = reference === undefined ? null : readReference(reference, engine.referenceKeys);
  const payment =
    (await findByIds(engine, { sessionId, transactionId }, paymentId)) ?? (await findByReference(engine, metadata));
  if (payment) {
    const isOurs = endpoint.credentialIds.includes(payment.credentialId);
    return isOurs ? { kind: "ours", payments: [payment] } : { kind: "unrelated" };
  }
  return paymentId === null ? null : { kind: "orphan", paymentId, lost: { sessionId, ...metadata } };
}

// This process may not have the newest signing key yet, or its host may have removed an old key. Then the stored reference is
// the proof.
async function findByReference(engine: Engine, { reference }: OurMetadata): Promise<Payment | null> {
  const id = reference === undefined ? null : claimedPaymentId(reference);
  const payment = id === null ? null : await engine.ledger.find({ id });
  return payment?.reference === reference ? payment : null;
}

async function findByIds(
  engine: Engine,
  { sessionId, transactionId }: Pick<EventIds, "sessionId" | "transactionId">,
  paymentId: string | null,
): Promise<Payment | null> {
  const keys: (PaymentKey | null)[] = [
    sessionId === undefined ? null : { sessionId },
    paymentId === null ? null : { id: paymentId },
    transactionId === undefined ? null : { transactionId },
  ];
  for (const key of keys) {
    const payment = key && (await engine.ledger.find(key));
    if (payment) return payment;
  }
  return null;
}

// Reads the transaction that an event names. The transaction belongs to another integration on the same key, or to a payment whose
// transaction is not stored yet. `match` is null if the service does not show the transaction, or shows it without identifiers.
async function matchTransaction(
  engine: Engine,
  endpoint: WebhookEndpoint,
  event: ServiceEvent,
  transactionId: string,
): Promise<{ readonly match: EventMatch | null; readonly transaction: TransactionReading | null }> {
  for (const credentialId of endpoint.credentialIds) {
    const service = await engine.tenants.service(credentialId);
    const query = { id: transactionId, account: event.account ?? null, deadlineMs: limits.serviceCallMs };
    const transaction = await service.readTransaction(query);
    if (!transaction) continue;
    const { sessionId, reference, signedOrder } = transaction;
    const match = await matchIds(engine, endpoint, { sessionId, reference, signedOrder, transactionId });
    const isIdentified = sessionId !== undefined || reference !== undefined;
    return { match: match ?? (isIdentified ? { kind: "unrelated" } : null), transaction };
  }
  return { match: null, transaction: null };
}

// A success event without ids reports only that some session of this credential was paid. The newest open payments that the
// transaction can belong to are the candidates.
async function matchOpenPayments(
  engine: Engine,
  endpoint: WebhookEndpoint,
  transaction: TransactionReading | null,
): Promise<EventMatch> {
  const lists = await Promise.all(
    endpoint.credentialIds.map((id) => engine.ledger.openPayments(id, limits.maxEventCandidates)),
  );
  const payments = lists.flat().filter((payment) => transaction === null || couldBePaidBy(payment, transaction));
  return payments.length > 0 ? { kind: "ours", payments } : { kind: "unrelated" };
}

// The amounts are not compared, because a shopper may have paid a different amount. A transaction is never older than its payment.
function couldBePaidBy(
  { createdAt, amountDue }: Payment,
  { currency, createdAt: startedAt }: TransactionReading,
): boolean {
  const isLater = startedAt === undefined || startedAt >= createdAt - limits.clockSkewMs;
  return isLater && (currency === undefined || currency === amountDue.currency);
}
