import { limits } from "../domain/limits.ts";
import { isCertain, type LearnedTransaction, namesTransaction, type PaidTransaction } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { toTransaction } from "./identify-transaction.ts";
import { recordTransactions } from "./record-transactions.ts";

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
