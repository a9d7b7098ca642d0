import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { updatePayment } from "../payments/update-payment.ts";
import type { Service, TransactionReading } from "../ports/service.ts";

/**
 * The id of the transaction that paid a payment's session, read from the service (GET /transactions/{id}); null while the service
 * shows no such transaction. Only a completed transaction counts: a session may name a declined transaction, and an event may
 * contain any id.
 *
 * @throws CheckoutError `service_unavailable`
 */
export async function findTransaction(engine: Engine, payment: Payment): Promise<string | null> {
  const service = await engine.tenants.service(payment.credentialId);
  const known = payment.transactionId;
  if (known !== null && (await isPaidOrUnknown(service, payment, known))) return known;
  const { transactionId: reported } = await service.readSession(payment, limits.serviceCallMs);
  if (reported !== undefined && reported !== known && (await isPaidBy(service, payment, reported))) return reported;
  return await findInList(service, payment);
}

/**
 * Records the transaction of a PAYMENT_SUCCEEDED event after reading it, so that a later refund needs no search.
 *
 * @throws CheckoutError `service_unavailable`
 */
export async function keepTransaction(engine: Engine, paymentId: string, transactionId: string): Promise<void> {
  await updatePayment(engine, paymentId, async (payment) => {
    if (payment.amountReceived === null || payment.transactionId === transactionId) return null;
    const service = await engine.tenants.service(payment.credentialId);
    return (await isPaidBy(service, payment, transactionId)) ? { change: { transactionId } } : null;
  });
}

// While the service is unavailable, the stored transaction is used: the service refuses a refund of an unpaid transaction.
async function isPaidOrUnknown(service: Service, payment: Payment, id: string): Promise<boolean> {
  try {
    return await isPaidBy(service, payment, id);
  } catch (error) {
    if (codeOf(error) !== "service_unavailable") throw error;
    return true;
  }
}

async function isPaidBy(service: Service, payment: Payment, id: string): Promise<boolean> {
  const { account } = payment;
  const transaction = await service.readTransaction({ id, account, deadlineMs: limits.serviceCallMs });
  return transaction !== null && hasPaid(payment, transaction);
}

// The list cannot be filtered by reference. A transaction starts while its session is open, which limits the time range.
async function findInList(service: Service, payment: Payment): Promise<string | null> {
  const { account, createdAt, session } = payment;
  const from = createdAt - limits.clockSkewMs;
  const until = (session?.expiresAt ?? createdAt) + limits.sessionLifeMs;
  let scanned = 0;
  for await (const row of service.listTransactions({ from, until, account, deadlineMs: limits.serviceCallMs })) {
    if (row.id !== undefined && row.reference === payment.reference && hasPaid(payment, row)) return row.id;
    scanned += 1;
    if (scanned >= limits.maxTransactionsScanned) break;
  }
  return null;
}

const PAID: ReadonlySet<string> = new Set(["completed", "refunded"]);

function hasPaid({ reference, session }: Payment, transaction: TransactionReading): boolean {
  const { status = "", sessionId } = transaction;
  // A payment whose session shows another reference is held and can still be refunded, so the session id decides.
  const isOurs = sessionId === undefined ? mayHaveReference(transaction, reference) : sessionId === session?.id;
  return PAID.has(status) && isOurs;
}

function mayHaveReference(transaction: TransactionReading, reference: string): boolean {
  return transaction.reference === undefined || transaction.reference === reference;
}
