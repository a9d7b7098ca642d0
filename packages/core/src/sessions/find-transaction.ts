import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { fromWire, sameMoney } from "../domain/money.ts";
import { amountPaid, amountUnitOf, type Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { updatePayment } from "../payments/update-payment.ts";
import type { Service, TransactionReading } from "../ports/service.ts";

/**
 * The transaction that paid a payment's session. `code` is its `txn_…`, where the service reports it. `isAssumed`: the service is
 * unavailable, so this is the stored transaction; the service refuses a refund of an unpaid transaction.
 */
export type PayingTransaction = { readonly id: string; readonly code?: string | undefined; readonly isAssumed?: true };

/**
 * The transaction that paid a payment's session, read from the service (GET /transactions/{id}); null while the service shows no such
 * transaction. Only a completed transaction counts: a session may name a declined transaction, and an event may contain any id.
 *
 * @throws CheckoutError `service_unavailable`
 */
export async function findTransaction(engine: Engine, payment: Payment): Promise<PayingTransaction | null> {
  const service = await engine.tenants.service(payment.credentialId);
  const { transactionId: known } = payment;
  const stored = known === null ? null : await readStored(service, payment, known);
  if (stored) return stored;
  const { transactionId: reported } = await service.readSession(payment, limits.serviceCallMs);
  const read = reported === undefined || reported === known ? null : await readPaying(service, payment, reported);
  return read ?? (await findInList(service, payment));
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
    const read = await readPaying(service, payment, transactionId);
    return read && read.id !== payment.transactionId ? { change: { transactionId: read.id } } : null;
  });
}

async function readStored(service: Service, payment: Payment, id: string): Promise<PayingTransaction | null> {
  try {
    return await readPaying(service, payment, id);
  } catch (error) {
    if (codeOf(error) !== "service_unavailable") throw error;
    return { id, isAssumed: true };
  }
}

// A session or an event may name the transaction by its code. The refunds of the transaction name it by its id, so the id is kept.
async function readPaying(service: Service, payment: Payment, named: string): Promise<PayingTransaction | null> {
  const { account } = payment;
  const transaction = await service.readTransaction({ id: named, account, deadlineMs: limits.serviceCallMs });
  if (transaction === null || !hasPaid(payment, transaction, named)) return null;
  return { id: transaction.id ?? named, code: transaction.code };
}

// The list cannot be filtered by reference. A transaction starts while its session is open, which limits the time range.
async function findInList(service: Service, payment: Payment): Promise<PayingTransaction | null> {
  const { account, createdAt, session } = payment;
  const from = createdAt - limits.clockSkewMs;
  const until = (session?.expiresAt ?? createdAt) + limits.sessionLifeMs;
  let scanned = 0;
  for await (const row of service.listTransactions({ from, until, account, deadlineMs: limits.serviceCallMs })) {
    const { id, code } = row;
    if (id !== undefined && row.reference === payment.reference && hasPaid(payment, row, id)) return { id, code };
    scanned += 1;
    if (scanned >= limits.maxTransactionsScanned) break;
  }
  return null;
}

const PAID: ReadonlySet<string> = new Set(["completed", "refunded"]);

/** Whether this transaction paid the payment. `named`: the id under which the service was asked for it. */
export function hasPaid(payment: Payment, transaction: TransactionReading, named: string): boolean {
  const { status = "", sessionId, reference } = transaction;
  if (!PAID.has(status)) return false;
  // A payment whose session shows another reference is held and can still be refunded, so the session id decides.
  if (sessionId !== undefined) return sessionId === payment.session?.id;
  return reference === undefined ? fits(payment, transaction, named) : reference === payment.reference;
}

// A transaction that names neither a session nor a reference may be a stranger's, whatever names it.
function fits(payment: Payment, { id, code, wireAmount, currency, createdAt }: TransactionReading, named: string) {
  const paid = amountPaid(payment);
  const isNamed = [id, code].some((own) => own?.toLowerCase() === named.toLowerCase());
  const gross = fromWire(wireAmount ?? 0, currency ?? "", amountUnitOf(payment));
  return (
    isNamed &&
    gross !== null &&
    sameMoney(gross, paid) &&
    createdAt !== undefined &&
    createdAt >= payment.createdAt - limits.clockSkewMs
  );
}
