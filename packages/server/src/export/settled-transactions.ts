import type { Equation, Payment } from "@tillkit/core";
import { type LedgerView, linesOf } from "@tillkit/core/ledger";
import type { Fees, PaidAmounts } from "./fees.ts";

/** One transaction of a payment: where its money is, and what the service reports of it. */
export type SettledTransaction = {
  readonly payment: Payment;
  readonly equation: Equation;
  /** A session may receive several transactions. The payment's first transaction is the one that paid its session. */
  readonly isFurther: boolean;
  readonly reported: PaidAmounts | undefined;
};

/** Reads the equations and the service's amounts of one page of payments. */
export async function settledTransactions(
  ledger: Pick<LedgerView, "paymentsWithMovements">,
  fees: Fees,
  payments: readonly Payment[],
): Promise<readonly SettledTransaction[]> {
  const rows = (await ledger.paymentsWithMovements(payments.map(({ id }) => id))).flatMap(({ payment, movements }) =>
    linesOf(payment, movements).map((equation, index) => {
      const key = index === 0 ? payment.id : `${payment.id} ${equation.transactionId}`;
      return { key, payment, equation, isFurther: index > 0 };
    }),
  );
  // `fees` finds the amounts of the transaction that a payment names, so each further transaction is looked up as a payment's.
  const lookedUp = rows.map(({ key, payment, equation }) => {
    return { ...payment, id: key, transactionId: equation.transactionId ?? payment.transactionId };
  });
  const amounts = await fees(lookedUp);
  return rows.map(({ key, ...row }) => ({ ...row, reported: amounts.get(key) }));
}

/** What the merchant keeps of a transaction, in minor units: the service's fee, refunds and disputes are subtracted. */
export function netOf({ received, returned, disputed }: Equation, fee: number): number {
  return received.minor - returned.minor - disputed.minor - fee;
}
