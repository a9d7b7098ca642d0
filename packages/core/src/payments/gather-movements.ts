import { isLostToDispute } from "../domain/equation.ts";
import type { Movements } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import { isPaying } from "../domain/payment-states.ts";
import type { Engine } from "../engine.ts";
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

/**
 * `Payment.lostToDispute` after its movements changed. A payment whose place another payment of the order took meanwhile stays lost: a
 * dispute that was won after all cannot take the place back.
 */
export async function lostToDisputeAfter(engine: Engine, payment: Payment, movements: Movements): Promise<boolean> {
  if (isLostToDispute(payment, movements)) return true;
  if (!payment.lostToDispute) return false;
  const payments = await engine.ledger.paymentsOfOrder(payment.ref);
  return payments.some((other) => other.id !== payment.id && !other.lostToDispute && isPaying(other));
}
