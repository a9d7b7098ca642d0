import type { ServiceEvent } from "@tillkit/client/webhooks";
import { CheckoutError } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { namesTransaction, type PaidTransaction } from "../domain/movement.ts";
import { type Payment, startOf } from "../domain/payment.ts";
import type { SessionReading } from "../domain/session-reading.ts";
import type { Engine } from "../engine.ts";
import { endNaming } from "../movements/record-transactions.ts";
import type { PaymentKey } from "../ports/payment-ledger.ts";
import type { TransactionReading } from "../ports/service.ts";
import type { WebhookEndpoint } from "../ports/tenants.ts";
import type { LostPayment } from "../recovery/recover-payment.ts";
import { type OurMetadata, readOurMetadata } from "../signing/our-metadata.ts";
import { claimedPaymentId, readReference } from "../signing/reference.ts";

/**
 * What an event is about. `ours`: one of our payments. `candidates`: the event names only a transaction, which names nothing either;
 * it fits these open payments, and proves nothing about any of them. `orphan`: the event is about a payment of ours that is missing
 * from the ledger. `unrelated`: the event belongs to another integration on the same API key. `isUnread`: the service does not show
 * the event's transaction yet, so the match may change. `untied`: the event names this transaction alone, and nothing tells yet whose it is.
 */
export type EventMatch =
  | { readonly kind: "ours"; readonly payment: Payment; readonly named: OurNames }
  | { readonly kind: "candidates"; readonly candidates: readonly Candidate[]; readonly isUnread: boolean }
  | { readonly kind: "orphan"; readonly paymentId: string; readonly lost: LostPayment }
  | { readonly kind: "unrelated"; readonly isUnread?: true; readonly untied?: string };

/** The session and our reference, as the event names them, or as the service does where the event leaves them out. */
export type OurNames = { readonly sessionId: string | undefined; readonly reference: string | undefined };

/** An open payment that a transaction fits. `transaction` is stored, so that each is offered once; null for an event without an id. */
export type Candidate = { readonly payment: Payment; readonly transaction: PaidTransaction | null };

/**
 * Matches by session id, then by our reference, then by a transaction that certainly paid one of our payments, then by one read of
 * the session or of the transaction; never by an order number. What only fits is a candidate.
 *
 * @throws CheckoutError `service_unavailable`
 */
export async function matchEvent(engine: Engine, endpoint: WebhookEndpoint, event: ServiceEvent): Promise<EventMatch> {
  const found = await matchInLedger(engine, endpoint, event);
  if (found) return found;
  if (event.sessionId !== undefined) return await matchSession(engine, endpoint, event, event.sessionId);
  const { transactionId } = event;
  const { match, transaction } =
    transactionId === undefined ? NOTHING_NAMED : await matchTransaction(engine, endpoint, event, transactionId);
  if (match) return match;
  const isUnread = transactionId !== undefined && transaction === null;
  const reported = transaction ?? reportedTransaction(event);
  const candidates = reported ? await fittingPayments(engine, endpoint, event, reported) : [];
  if (candidates.length > 0) return { kind: "candidates", candidates, isUnread };
  const untied = transactionId === undefined ? {} : { untied: transactionId };
  return isUnread ? { kind: "unrelated", isUnread, ...untied } : { kind: "unrelated", ...untied };
}

const NOTHING_NAMED = { match: null, transaction: null };

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
  // Our sessions always have metadata, so another integration's metadata tells that the session is none of ours.
  const hasMetadata = Object.keys(event.metadata ?? {}).some((key) => key !== "checkout_session_id");
  return hasMetadata && (sessionId !== undefined || ids.reference !== undefined) ? { kind: "unrelated" } : null;
}

/** The identifiers that an event or a transaction carries. */
type EventIds = OurMetadata & { readonly sessionId: string | undefined; readonly transactionId: string | undefined };

async function matchIds(engine: Engine, endpoint: WebhookEndpoint, ids: EventIds): Promise<EventMatch | null> {
  const { sessionId, transactionId, ...metadata } = ids;
  const { reference } = metadata;
  const paymentId = reference === undefined ? null : readReference(reference, engine.referenceKeys);
  const payment =
    (await findByIds(engine, endpoint, { sessionId, transactionId }, paymentId)) ??
    (await findByReference(engine, metadata));
  if (payment) {
    const isOurs = endpoint.credentialIds.includes(payment.credentialId);
    return isOurs ? { kind: "ours", payment, named: { sessionId, reference } } : { kind: "unrelated" };
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
  endpoint: WebhookEndpoint,
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
    if (!payment) continue;
    const isOurs = endpoint.credentialIds.includes(payment.credentialId);
    const isOfOther = isOurs && "transactionId" in key && namesOther(payment, sessionId, paymentId);
    return isOfOther && (await endNaming(engine, payment.id, key.transactionId)) ? null : payment;
  }
  return null;
}

// A person said that this payment was paid by the transaction, whose session or reference is now named, and is another one.
function namesOther({ id, session }: Payment, sessionId: string | undefined, paymentId: string | null): boolean {
  const isOtherSession = sessionId !== undefined && session !== null && session.id !== sessionId;
  return isOtherSession || (paymentId !== null && paymentId !== id);
}

// The ledger does not know the session, and the event says nothing else of it: it belongs to another integration, or to a payment that
// this ledger has lost. What the service shows of a session is kept, so a stranger's session is read once, however many events name it.
async function matchSession(
  engine: Engine,
  endpoint: WebhookEndpoint,
  event: ServiceEvent,
  sessionId: string,
): Promise<EventMatch> {
  const load = async () => (await readUnknownSession(engine, endpoint, event, sessionId)) ?? Promise.reject(NOT_SHOWN);
  const { reference, signedOrder } = await engine.sessionCache
    .read(sessionId, limits.graceMs, load)
    .catch((error: unknown): SessionReading | Promise<never> => (error === NOT_SHOWN ? {} : Promise.reject(error)));
  if (reference === undefined) return { kind: "unrelated" };
  const ids = { sessionId, transactionId: event.transactionId, reference, signedOrder };
  return (await matchIds(engine, endpoint, ids)) ?? { kind: "unrelated" };
}

// An answer that does not show the session is not kept: the next event may be luckier.
const NOT_SHOWN = new CheckoutError("session_unusable", "The service does not show this session.");

async function readUnknownSession(
  engine: Engine,
  { credentialIds }: WebhookEndpoint,
  { transactionId, account }: ServiceEvent,
  sessionId: string,
): Promise<SessionReading | null> {
  let shown: SessionReading | null = null;
  const session = { id: sessionId, url: "", expiresAt: 0 };
  for (const credentialId of credentialIds) {
    const service = await engine.tenants.service(credentialId);
    const reading = await service.readSession({ id: sessionId, session }, limits.serviceCallMs);
    if (reading.keyRefused !== undefined) throw keyRefusedError(reading.keyRefused);
    if (reading.reference !== undefined) return reading;
    if (reading.id !== undefined) shown = reading;
    // A session may be shown without its metadata, which is copied to its transaction.
    const query = { id: transactionId ?? "", account: account ?? null, deadlineMs: limits.serviceCallMs };
    const transaction = transactionId === undefined ? null : await service.readTransaction(query);
    if (transaction?.sessionId === sessionId && transaction.reference !== undefined) {
      return { id: sessionId, reference: transaction.reference, signedOrder: transaction.signedOrder };
    }
  }
  return shown;
}

function keyRefusedError(code: string): CheckoutError {
  const message = `The service refused the key (${code}), so the session could not be read.`;
  return new CheckoutError("service_unavailable", message, { retryable: true });
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

// The body of an event is the transaction itself. It stands in while the service does not show the transaction.
function reportedTransaction(event: ServiceEvent): TransactionReading | null {
  if (event.event !== "PAYMENT_SUCCEEDED") return null;
  const transaction = "transaction" in event ? (event.transaction ?? {}) : {};
  const { id, publicId: code, grossAmount: wireAmount, currencyCode: currency, createdAt } = transaction;
  return { id, code, wireAmount, currency, createdAt, status: "completed" };
}

/**
 * The newest open payments that a successful transaction may have paid: nothing that is known of its amount, currency, account and
 * time speaks against it. Each transaction is offered to a payment once, however often its event is repeated.
 */
async function fittingPayments(
  engine: Engine,
  endpoint: WebhookEndpoint,
  event: ServiceEvent,
  reading: TransactionReading,
): Promise<readonly Candidate[]> {
  if (event.event !== "PAYMENT_SUCCEEDED") return [];
  const lists = await Promise.all(
    endpoint.credentialIds.map((id) => engine.ledger.openPayments(id, limits.maxOpenPaymentsSearched)),
  );
  const isOfAccount = ({ account }: Payment) => event.account === undefined || event.account === account;
  const candidates: Candidate[] = [];
  for (const payment of lists.flat()) {
    if (!isOfAccount(payment) || !couldHavePaid(payment, reading)) continue;
    const transaction = candidateTransaction(payment, reading, event.transactionId);
    if (transaction && (await isStored(engine, transaction))) continue;
    candidates.push({ payment, transaction });
    if (candidates.length === limits.maxEventCandidates) break;
  }
  return candidates;
}

// A transaction is never older than its payment.
function couldHavePaid(
  payment: Payment,
  { wireAmount, currency, createdAt, status = "completed" }: TransactionReading,
): boolean {
  const isSameAmount = wireAmount === undefined || wireAmount === payment.wireAmount;
  const isSameCurrency = currency === undefined || currency === payment.amountDue.currency;
  const isLater = createdAt === undefined || createdAt >= startOf(payment) - limits.clockSkewMs;
  return status === "completed" && isSameAmount && isSameCurrency && isLater;
}

function candidateTransaction(
  payment: Payment,
  { code, createdAt }: TransactionReading,
  id: string | undefined,
): PaidTransaction | null {
  if (id === undefined) return null;
  const at = createdAt ?? payment.createdAt;
  const { amountDue: amount, id: paymentId } = payment;
  return { id, code: code ?? null, paymentId, amount, isRead: false, evidence: "resemblance", at };
}

async function isStored(engine: Engine, { paymentId, id }: PaidTransaction): Promise<boolean> {
  return (await engine.ledger.transactions(paymentId)).some((known) => namesTransaction(id, known));
}
