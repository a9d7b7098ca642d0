import type { Payment } from "../domain/payment.ts";
import { isPaying } from "../domain/payment-states.ts";
import type { Engine } from "../engine.ts";
import { confirmPayment } from "./confirm-payment.ts";
import type { ConfirmResult } from "./confirm-result.ts";

/**
 * Confirms the duplicates of a payment that no longer counts: its store refused the payment, a difference was found, or the
 * payment was refunded. One of the duplicates may be the payment that counts now.
 */
export async function reopenDuplicates(engine: Engine, payment: Payment): Promise<ConfirmResult[]> {
  if (isPaying(payment)) return [];
  const paymentsOfOrder = await engine.ledger.paymentsOfOrder(payment.ref);
  const results: ConfirmResult[] = [];
  for (const { id, state } of paymentsOfOrder) {
    if (state === "duplicate")
      results.push(await confirmPayment(engine, id, { actor: "timer", includeDuplicate: true }));
  }
  return results;
}
