import { limits } from "../domain/limits.ts";
import { isCertain, namesTransaction, type PaidTransaction } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { toTransaction } from "./identify-transaction.ts";
import { recordTransactions } from "./record-transactions.ts";

/**
 * Reads and stores the transaction that a signed success event of this payment named, unless it is stored already.
 *
 * @throws CheckoutError `service_unavailable`
 */
export async function keepReportedTransaction(engine: Engine, payment: Payment, transactionId: string): Promise<void> {
  const known = await engine.ledger.transactions(payment.id);
  const isKnown = known.some((stored) => isCertain(stored) && namesTransaction(transactionId, stored));
  if (isKnown) return;
  const service = await engine.tenants.service(payment.credentialId);
  const query = { id: transactionId, account: payment.account, deadlineMs: limits.serviceCallMs };
  const reading = await service.readTransaction(query);
  const transaction = reading
    ? toTransaction(payment, reading, transactionId, true)
    : reported(engine, payment, transactionId);
  if (transaction) await recordTransactions(engine, payment.id, [transaction]);
}

// The service does not show the transaction yet. Its name is kept, because the event may be the only place that ties it to the payment.
function reported(engine: Engine, payment: Payment, id: string): PaidTransaction | null {
  const { amountReceived: amount, id: paymentId } = payment;
  if (amount === null) return null;
  return { id, code: null, paymentId, amount, isRead: false, evidence: "identity", at: engine.clock.now() };
}
