import type { Equation, Payment } from "@tillkit/core";
import { type LedgerView, shortfallOf, surplusOf } from "@tillkit/core/ledger";
import { serverLimits } from "../limits.ts";

/** A payment whose money needs a person. `shortfall`: its sum, or that of one transaction. `surplus`: each further transaction whose money is still there. */
export type UnbalancedPayment = { readonly payment: Payment } & (
  | { readonly kind: "shortfall"; readonly equation: Equation }
  | { readonly kind: "surplus"; readonly equations: readonly [Equation, ...Equation[]] }
);

/** `isComplete`: no older payment of this kind is left out. */
export type UnbalancedPayments = {
  readonly rows: readonly UnbalancedPayment[];
  readonly isComplete: boolean;
};

/**
 * Payments or transactions from which more money left than arrived, and payments whose session received more than one transaction. Only a dispute
 * makes a shortfall, because the service refuses to refund more than a transaction received; so only disputed payments and payments
 * of several transactions are read, in few queries.
 */
export async function findUnbalancedPayments(ledger: LedgerView): Promise<UnbalancedPayments> {
  const limit = serverLimits.maxAlertRows;
  const [disputes, ofSeveral] = await Promise.all([
    ledger.listDisputes({ limit }),
    ledger.paymentsOfSeveralTransactions({ limit }),
  ]);
  const disputed = disputes.rows.map(({ paymentId }) => paymentId);
  const found = await ledger.paymentsWithMovements([...new Set([...ofSeveral, ...disputed])]);
  const rows = found.flatMap(({ payment, movements }): UnbalancedPayment[] => {
    const equation = shortfallOf(payment, movements);
    const [first, ...others] = surplusOf(payment, movements);
    return [
      ...(equation === null ? [] : [{ payment, kind: "shortfall" as const, equation }]),
      ...(first === undefined ? [] : [{ payment, kind: "surplus" as const, equations: [first, ...others] as const }]),
    ];
  });
  return { rows, isComplete: disputes.next === null && ofSeveral.length < limit };
}
