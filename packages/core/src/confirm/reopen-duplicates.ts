import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { confirmPayment } from "./confirm-payment.ts";
import type { ConfirmResult } from "./confirm-result.ts";

/**
 * Confirms the duplicates of a payment that no longer counts, because its store refused it, a difference was found, or it was
 * refunded. One of the duplicates may be the payment that counts.
 */
export async function reopenDuplicates(engine: Engine, payment: Payment): Promise<ConfirmResult[]> {
  if (payment.state === "verified" || payment.state === "recorded") return [];
  const ofOrder = await engine.ledger.paymentsOfOrder(payment.ref);
  const results: ConfirmResult[] = [];
  for (const { id, state } of ofOrder) {
    if (state === "duplicate")
      results.push(await confirmPayment(engine, id, { actor: "timer", includeDuplicate: true }));
  }
  return results;
}
