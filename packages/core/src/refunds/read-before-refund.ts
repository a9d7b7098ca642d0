import { CheckoutError } from "../domain/checkout-error.ts";
import { certainTransactions, equationOf } from "../domain/equation.ts";
import { limits } from "../domain/limits.ts";
import { formatMoney, fromWire, type Money } from "../domain/money.ts";
import { amountUnitOf, type Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { identifyAllTransactions, identifyTransaction } from "../movements/identify-transaction.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import { getPayment } from "../payments/stored-payment.ts";
import { decisionLink } from "./assert-refundable.ts";
import { readAmount, showsMarks } from "./refund-reading.ts";
import { syncRefundsOf } from "./sync-refunds.ts";

/**
 * Reads the payment's transactions and all their refunds into the ledger, right before a new refund is committed.
 *
 * @throws CheckoutError `transaction_unknown`, `refund_in_doubt` (retryable), `service_unavailable`
 */
export async function readBeforeRefund(engine: Engine, payment: Payment, amount: Money): Promise<void> {
  const transaction = await identifyTransaction(engine, payment);
  if (transaction === null) {
    const message = "The service does not say which transaction paid this payment. Say it once, then refund";
    throw new CheckoutError("transaction_unknown", `${message}${decisionLink(engine, payment)}`);
  }
  // Without marks, a refund that a restored ledger has forgotten is seen only at the transaction that it was of.
  if (!(await showsMarks(engine, payment))) await identifyAllTransactions(engine, payment);
  const { isReadable, unstored, forgotten } = await syncRefundsOf(engine, await getPayment(engine, payment.id));
  if (forgotten) {
    const message =
      "The service lists a refund of this shop without its id or amount, and it may be this one: try again in a moment, or refund in its dashboard.";
    throw new CheckoutError("refund_in_doubt", message, { retryable: true });
  }
  // An unreadable row blocks only what it could be.
  const mayBeIt = unstored.some((row) => (readAmount(payment, row)?.minor ?? amount.minor) === amount.minor);
  if (isReadable || mayBeIt)
    await assertAllListed(engine, await getPayment(engine, payment.id), isReadable ? null : amount);
}

// More went back by the transactions' own word (`refundedAmount` of GET /transactions/{id}) than the refunds explain: the list hides one,
// which may be the one that is asked for again after a restore. `asked`: an unreadable row is no refund of more than what is unexplained.
async function assertAllListed(engine: Engine, payment: Payment, asked: Money | null): Promise<void> {
  const movements = await gatherMovements(engine.ledger, payment.id);
  const { returned, leaving } = equationOf(payment, movements);
  const service = await engine.tenants.service(payment.credentialId);
  let told = 0;
  for (const { id, amount } of certainTransactions(payment, movements.transactions)) {
    const query = { id, account: payment.account, deadlineMs: limits.serviceCallMs };
    const reading = await service.readTransaction(query);
    const refunded = fromWire(reading?.refundedAmount ?? 0, returned.currency, amountUnitOf(payment));
    if (amount.currency === returned.currency) told += refunded?.minor ?? 0;
  }
  const unexplained = told - returned.minor - leaving.minor;
  if (unexplained <= 0 || (asked !== null && asked.minor > unexplained)) return;
  // Another process may have made a refund meanwhile, which the commit compares.
  if ((await getPayment(engine, payment.id)).version !== payment.version) return;
  const [more, known] = [{ ...returned, minor: told }, returned].map((sum) => formatMoney(sum, "en"));
  const message = `The service says that ${more} went back of this payment and lists refunds of ${known}: try again in a moment, or refund in its dashboard.`;
  throw new CheckoutError("refund_in_doubt", message, { retryable: true });
}
