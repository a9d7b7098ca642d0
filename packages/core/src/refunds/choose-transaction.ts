import { CheckoutError } from "../domain/checkout-error.ts";
import { certainTransactions, type Equation, equationsOf } from "../domain/equation.ts";
import { sameMoney } from "../domain/money.ts";
import { type Movements, namesTransaction, type PaidTransaction } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { decisionLink } from "./assert-refundable.ts";
import type { RefundRequest } from "./refund-payment.ts";
import { showsMarks } from "./refund-reading.ts";

/** The transaction that a request takes its money from. `isMain`: it paid the session. */
export type ChosenTransaction = {
  readonly transaction: PaidTransaction;
  readonly equation: Equation;
  readonly isMain: boolean;
};

/**
 * The transaction that a request names, or the one that paid the session.
 *
 * @throws CheckoutError `refund_not_possible`: nothing was paid by the named transaction, or only a person can say which one is meant
 */
export async function chooseTransaction(
  engine: Engine,
  payment: Payment,
  movements: Movements,
  request: RefundRequest,
): Promise<ChosenTransaction> {
  if (await mayHaveGoneFromAnother(engine, payment, movements, request)) {
    const message =
      "The same amount went back from another transaction of this payment. Say which transaction is refunded";
    throw new CheckoutError("refund_not_possible", `${message}${decisionLink(engine, payment)}`);
  }
  const { transactionId } = request;
  const certain = certainTransactions(payment, movements.transactions);
  const index = certain.findIndex((one) => transactionId === undefined || namesTransaction(transactionId, one));
  const transaction = certain[index];
  const equation = equationsOf(payment, movements)[index];
  if (transaction && equation) return { transaction, equation, isMain: index === 0 };
  const message = "This transaction did not pay this payment: choose one that its page lists.";
  throw new CheckoutError("refund_not_possible", message);
}

// Without marks, a ledger that was restored cannot know its own refund, and the session's other transaction may have been the first then.
async function mayHaveGoneFromAnother(
  engine: Engine,
  payment: Payment,
  { transactions, refunds }: Movements,
  { transactionId, amount, by }: RefundRequest,
): Promise<boolean> {
  const [main, ...others] = certainTransactions(payment, transactions);
  // What a person has seen is compared again when the refund is committed.
  if (transactionId !== undefined || by !== undefined || main === undefined || others.length === 0) return false;
  const mayBeOurs = ({ origin, mark, state }: Refund) => origin === "service" && mark === null && state !== "failed";
  const ofOthers = refunds.filter((refund) => mayBeOurs(refund) && !namesTransaction(refund.transactionId, main));
  if (!ofOthers.some((refund) => sameMoney(refund.amount, amount))) return false;
  return !(await showsMarks(engine, payment));
}
