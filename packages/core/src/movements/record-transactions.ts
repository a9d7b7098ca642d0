import { certainTransactions } from "../domain/equation.ts";
import {
  hasCertainlyPaid,
  isCertain,
  type LearnedTransaction,
  mergeTransaction,
  namesTransaction,
  type PaidTransaction,
  sameTransaction,
} from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { gatherMovements, lostToDisputeAfter } from "../payments/gather-movements.ts";
import { jobOf, unmatchedDeliveryJobs } from "../payments/payment-jobs.ts";
import { getPayment, updatePayment } from "../payments/stored-payment.ts";
import type { PaymentLedger } from "../ports/payment-ledger.ts";

/**
 * Stores what was learned of a payment's transactions, and returns all that are stored. Identity is never replaced by resemblance
 * (`mergeTransaction`), and the transaction that paid the session stays the one that was identified first.
 */
export async function recordTransactions(
  engine: Engine,
  paymentId: string,
  learned: readonly LearnedTransaction[],
): Promise<readonly PaidTransaction[]> {
  let stored: readonly PaidTransaction[] = [];
  for (const transaction of learned.filter(isIdentified)) await endOtherNaming(engine, paymentId, transaction);
  await updatePayment(engine, paymentId, async (payment) => {
    const movements = await gatherMovements(engine.ledger, paymentId);
    stored = withoutWrongNaming(mergeTransactions(movements.transactions, learned));
    const known = movements.transactions;
    const changed = stored.filter((next) => !known.some((old) => old.id === next.id && sameTransaction(old, next)));
    if (changed.length === 0) return null;
    const transactionId = payingTransactionId(payment, stored);
    const named = { ...payment, transactionId };
    const lostToDispute = await lostToDisputeAfter(engine, named, { ...movements, transactions: stored });
    const at = engine.clock.now();
    const surplus = newSurplus(named, known, stored);
    const entry = { paymentId, at, actor: "webhook", kind: "surplus" } as const;
    const timeline = surplus.map(({ amount }) => ({ ...entry, amount }));
    const notes = surplus.map(({ id: key }) => jobOf(payment, { kind: "note", about: "surplus", key }, at));
    // What went back of a further transaction was never asked for, and its events may have named it before anybody knew whose it is.
    const reading = surplus.length === 0 ? [] : [jobOf(payment, { kind: "refund", key: null }, at)];
    const jobs = [...reading, ...notes, ...(await unmatchedDeliveryJobs(engine, known, stored))];
    return { change: { transactionId, lostToDispute }, transactions: changed, jobs, timeline };
  });
  return stored;
}

// A person named a transaction while the service named none. Once it names the one that paid, the other is somebody else's, and so are its
// refunds and disputes.
function withoutWrongNaming(transactions: readonly PaidTransaction[]): readonly PaidTransaction[] {
  const isKnown = transactions.some((transaction) => transaction.isRead && isIdentified(transaction));
  return isKnown ? transactions.map(toCandidate) : transactions;
}

async function endOtherNaming(engine: Engine, paymentId: string, transaction: PaidTransaction): Promise<void> {
  const named = await findByTransaction(engine.ledger, transaction);
  if (named === null || named.id === paymentId) return;
  // What another merchant's key says of the transaction proves nothing.
  const { credentialId } = await getPayment(engine, paymentId);
  if (named.credentialId === credentialId) await endNaming(engine, named.id, transaction.id);
}

/** The payment that this transaction certainly paid, by its id or its code. */
export async function findByTransaction(
  ledger: PaymentLedger,
  { id, code }: Pick<PaidTransaction, "id" | "code">,
): Promise<Payment | null> {
  return (
    (await ledger.find({ transactionId: id })) ?? (code === null ? null : await ledger.find({ transactionId: code }))
  );
}

/**
 * Ends a person's decision that this transaction paid the payment: the service says that it paid something else. The transaction is a candidate
 * again. False: no person decided so.
 */
export async function endNaming(engine: Engine, paymentId: string, idOrCode: string): Promise<boolean> {
  const { status } = await updatePayment(engine, paymentId, async (payment) => {
    const movements = await gatherMovements(engine.ledger, paymentId);
    const isWrong = (known: PaidTransaction) => known.evidence === "person" && namesTransaction(idOrCode, known);
    const wrong = movements.transactions.filter(isWrong);
    if (wrong.length === 0) return null;
    const transactions = movements.transactions.map((known) => (isWrong(known) ? toCandidate(known) : known));
    const ended = { ...payment, transactionId: null };
    const lostToDispute = await lostToDisputeAfter(engine, ended, { ...movements, transactions });
    engine.log.warn("transaction.naming_ended", { paymentId });
    return { change: { transactionId: null, lostToDispute }, transactions: wrong.map(toCandidate) };
  });
  return status === "updated";
}

function isIdentified(transaction: PaidTransaction): boolean {
  return transaction.evidence === "identity" && hasCertainlyPaid(transaction);
}

function toCandidate(transaction: PaidTransaction): PaidTransaction {
  return transaction.evidence === "person" ? { ...transaction, evidence: "resemblance" } : transaction;
}

export function mergeTransactions(
  known: readonly PaidTransaction[],
  learned: readonly LearnedTransaction[],
): readonly PaidTransaction[] {
  const merged = [...known];
  for (const next of learned) {
    const index = merged.findIndex((old) => isSame(old, next));
    const old = merged[index];
    if (old === undefined) merged.push(mergeTransaction(undefined, next));
    else merged[index] = mergeTransaction(old, { ...next, id: old.id });
  }
  return merged;
}

// A session may name a transaction by its code. The row of that code gives way to the row of the id once the transaction is read.
function isSame(old: PaidTransaction, next: PaidTransaction): boolean {
  return old.id.toLowerCase() === next.id.toLowerCase() || (old.isRead && namesTransaction(next.id, old));
}

/** The certain transactions that nobody has read, and that are not this transaction under its other name. */
export function unreadBeside(
  known: readonly PaidTransaction[],
  transaction: PaidTransaction,
): readonly PaidTransaction[] {
  return known.filter((other) => isCertain(other) && !other.isRead && !namesTransaction(other.id, transaction));
}

/** The id of the transaction that paid the session, once one was identified; until then the name that the payment has. */
function payingTransactionId({ transactionId }: Payment, transactions: readonly PaidTransaction[]): string | null {
  return certainTransactions({ transactionId }, transactions)[0]?.id ?? transactionId;
}

// A second completed transaction of one session is the shopper's money: it is shown, alerted and noted on the order once.
function newSurplus(
  payment: Payment,
  known: readonly PaidTransaction[],
  stored: readonly PaidTransaction[],
): readonly PaidTransaction[] {
  const isNew = ({ id }: PaidTransaction) => !known.some((old) => old.id === id && old.isRead && hasCertainlyPaid(old));
  return certainTransactions(payment, stored).slice(1).filter(isNew);
}
