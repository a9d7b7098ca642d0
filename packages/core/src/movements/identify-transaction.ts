import { certainTransactions } from "../domain/equation.ts";
import { limits } from "../domain/limits.ts";
import { fromWire, type Money, sameMoney } from "../domain/money.ts";
import {
  hasCertainlyPaid,
  isCertain,
  type LearnedTransaction,
  type MovementEvidence,
  namesTransaction,
  PAID_STATUSES,
  type PaidTransaction,
} from "../domain/movement.ts";
import { amountUnitOf, type Payment, startOf } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import type { TransactionReading } from "../ports/service.ts";
import { recordTransactions, unreadBeside } from "./record-transactions.ts";

/**
 * The transaction that certainly paid a payment's session; null while nothing names it. A transaction that was read once is never
 * looked for again. Otherwise the service is read: the transactions that were named before (GET /transactions/{id}), the
 * transaction that the session names (GET /checkout-sessions/{id}), and at last the list (GET /transactions). What merely fits is
 * stored as a candidate.
 *
 * @throws CheckoutError `service_unavailable`
 */
export async function identifyTransaction(engine: Engine, payment: Payment): Promise<PaidTransaction | null> {
  const known = await engine.ledger.transactions(payment.id);
  const [main] = certainTransactions(payment, known);
  if (main?.isRead && unreadBeside(known, main).length === 0) return main;
  const read = await readNamed(engine, payment, known);
  const certain = main?.isRead || read.some(hasCertainlyPaid);
  const listed = certain ? [] : await findInList(engine, payment, 1);
  const stored = await recordTransactions(engine, payment.id, [...read, ...listed]);
  const [identified] = certainTransactions(payment, stored);
  return identified?.isRead ? identified : null;
}

/**
 * Reads all transactions of a payment's time from the list, and stores those that paid its session. For a payment that was recovered: its
 * session may have received more than one, and no event will name the others again.
 *
 * @throws CheckoutError `service_unavailable`
 */
export async function identifyAllTransactions(engine: Engine, payment: Payment): Promise<void> {
  const listed = await findInList(engine, payment, Number.POSITIVE_INFINITY);
  if (listed.length > 0) await recordTransactions(engine, payment.id, listed);
}

async function readNamed(
  engine: Engine,
  payment: Payment,
  known: readonly PaidTransaction[],
): Promise<readonly LearnedTransaction[]> {
  const service = await engine.tenants.service(payment.credentialId);
  const { account } = payment;
  const read = async (id: string, isNamedForUs: boolean) => {
    const reading = await service.readTransaction({ id, account, deadlineMs: limits.serviceCallMs });
    return reading && toTransaction(payment, reading, id, isNamedForUs);
  };
  const found: LearnedTransaction[] = [];
  const unread = known.filter(({ isRead }) => !isRead).map(({ id }) => id);
  const isMainRead = known.some((stored) => stored.isRead && namesTransaction(payment.transactionId ?? "", stored));
  const names = [...new Set([isMainRead ? null : payment.transactionId, ...unread])].filter((name) => name !== null);
  for (const name of names) {
    const isReported = known.some((stored) => namesTransaction(name, stored) && isCertain(stored));
    const transaction = await read(name, isReported);
    if (transaction) found.push(transaction);
  }
  if (isMainRead || found.some(hasCertainlyPaid)) return found;
  const { transactionId: reported } = await service.readSession(payment, limits.serviceCallMs);
  if (reported === undefined) return found;
  const transaction = await read(reported, true);
  return transaction ? [...found, transaction] : found;
}

// The list cannot be filtered by reference. A transaction starts while its session is open, which limits the time range.
async function findInList(engine: Engine, payment: Payment, atMost: number): Promise<readonly LearnedTransaction[]> {
  const service = await engine.tenants.service(payment.credentialId);
  const { account, createdAt, session } = payment;
  const from = startOf(payment) - limits.clockSkewMs;
  const until = (session?.expiresAt ?? createdAt) + limits.sessionLifeMs;
  const found: LearnedTransaction[] = [];
  let scanned = 0;
  for await (const row of service.listTransactions({ from, until, account, deadlineMs: limits.serviceCallMs })) {
    const transaction = toTransaction(payment, row, row.id ?? "", false);
    if (transaction && hasCertainlyPaid(transaction)) found.push(transaction);
    scanned += 1;
    if (found.length >= atMost || scanned >= limits.maxTransactionsScanned) break;
  }
  return found;
}

const NOT_PAID: ReadonlySet<string> = new Set(["failed", "expired", "cancelled"]);

/**
 * What a reading says of a payment's transaction; null where it says nothing for this payment. A declined transaction that was named
 * for us is stored with nothing received, so that its name is not read again.
 *
 * @param named the id under which the service was asked
 * @param isNamedForUs whether the session, or a signed event about it, named this transaction
 */
export function toTransaction(
  payment: Payment,
  reading: TransactionReading,
  named: string,
  isNamedForUs: boolean,
): LearnedTransaction | null {
  const { id = named, code = null, status = "", createdAt } = reading;
  const tie = tieOf(payment, reading, isNamedForUs);
  const gross = fromWire(reading.wireAmount ?? Number.NaN, reading.currency ?? "", amountUnitOf(payment));
  const at = createdAt ?? payment.createdAt;
  if (id === "" || tie === null) return null;
  const transaction = { id, code, paymentId: payment.id, isRead: true, evidence: tie, at };
  if (NOT_PAID.has(status)) {
    return tie === "identity" ? { ...transaction, amount: { ...payment.amountDue, minor: 0 } } : null;
  }
  if (!PAID_STATUSES.has(status)) return null;
  if (tie === "identity")
    return { ...transaction, amount: gross ?? receivedOrDue(payment), showsGross: gross !== null };
  return fits(payment, reading, gross) ? { ...transaction, amount: gross } : null;
}

/** Whether a row of the list is the payment's transaction: the one that the payment names, or one that certainly paid its session. */
export function isTransactionOf(payment: Payment, row: TransactionReading): boolean {
  const { id = "", code = null } = row;
  if (payment.transactionId !== null) return namesTransaction(payment.transactionId, { id, code });
  const transaction = toTransaction(payment, row, id, false);
  return transaction !== null && hasCertainlyPaid(transaction);
}

// A payment whose session shows another reference is held and can still be refunded, so the session id decides first.
function tieOf(payment: Payment, reading: TransactionReading, isNamedForUs: boolean): MovementEvidence | null {
  const { sessionId, reference } = reading;
  if (sessionId !== undefined) return sessionId === payment.session?.id ? "identity" : null;
  if (reference !== undefined) return reference === payment.reference ? "identity" : null;
  return isNamedForUs ? "identity" : "resemblance";
}

// A transaction is never older than its payment.
function fits(payment: Payment, { createdAt }: TransactionReading, gross: Money | null): gross is Money {
  const isLater = createdAt !== undefined && createdAt >= startOf(payment) - limits.clockSkewMs;
  return gross !== null && isLater && sameMoney(gross, receivedOrDue(payment));
}

function receivedOrDue({ amountReceived, amountDue }: Payment): Money {
  return amountReceived ?? amountDue;
}

/**
 * Reads and stores the transaction that a signed event of this payment named, unless it is stored already. What the session named
 * before and nobody has read is read as well: a second transaction must not take the place of the first, and a declined one must not
 * stand beside it.
 *
 * @returns `unread`: the service does not show the transaction yet, and nothing was read of the payment's money under which its name
 *   could be kept
 * @throws CheckoutError `service_unavailable`
 */
export async function keepReportedTransaction(
  engine: Engine,
  payment: Payment,
  transactionId: string,
): Promise<"kept" | "unread"> {
  const known = await engine.ledger.transactions(payment.id);
  const isKnown = known.some((stored) => isCertain(stored) && namesTransaction(transactionId, stored));
  if (isKnown) return "kept";
  // A transaction that was only named so far is read too: otherwise the further one, which is read now, would take its place.
  const unread = known.filter((stored) => isCertain(stored) && !stored.isRead).map(({ id }) => id);
  const named = known.some(isCertain) || payment.amountReceived !== null ? [] : await namedBySession(engine, payment);
  const learned: LearnedTransaction[] = [];
  for (const id of [...new Set([...unread, ...named, transactionId])]) {
    const transaction = await readReported(engine, payment, id);
    if (transaction === "unread") return "unread";
    if (transaction) learned.push(transaction);
  }
  await recordTransactions(engine, payment.id, learned);
  return "kept";
}

// Nothing is known of the payment yet. What its session names is the transaction that paid.
async function namedBySession(engine: Engine, payment: Payment): Promise<readonly string[]> {
  const service = await engine.tenants.service(payment.credentialId);
  const { transactionId } = await service.readSession(payment, limits.serviceCallMs);
  return transactionId === undefined ? [] : [transactionId];
}

async function readReported(
  engine: Engine,
  payment: Payment,
  id: string,
): Promise<LearnedTransaction | "unread" | null> {
  const service = await engine.tenants.service(payment.credentialId);
  const query = { id, account: payment.account, deadlineMs: limits.serviceCallMs };
  const reading = await service.readTransaction(query);
  return reading ? toTransaction(payment, reading, id, true) : reported(engine, payment, id);
}

// The service does not show the transaction yet. Its name is kept, because the event may be the only place that ties it to the payment.
function reported(engine: Engine, payment: Payment, id: string): PaidTransaction | "unread" {
  const { amountReceived: amount, id: paymentId } = payment;
  if (amount === null) return "unread";
  return { id, code: null, paymentId, amount, isRead: false, evidence: "identity", at: engine.clock.now() };
}
