import type { Movements } from "../domain/movement.ts";
import type { PaymentLedger } from "../ports/payment-ledger.ts";

/** Everything that the ledger knows about the money of one payment. */
export async function gatherMovements(ledger: PaymentLedger, paymentId: string): Promise<Movements> {
  const [transactions, refunds, disputes] = await Promise.all([
    ledger.transactions(paymentId),
    ledger.refunds(paymentId),
    ledger.disputes(paymentId),
  ]);
  return { transactions, refunds, disputes };
}
