import type { Engine } from "../engine.ts";
import { recordEntry } from "../payments/record-entry.ts";
import { getPayment } from "../payments/stored-payment.ts";

/**
 * Records that the shopper pressed cancel on the hosted page. Only a timeline entry is added: the service has no cancelled state,
 * and the session can be paid until it expires, so the order and its stock stay unchanged.
 *
 * @throws CheckoutError `payment_not_found`
 */
export async function recordCancel(engine: Engine, paymentId: string): Promise<void> {
  await getPayment(engine, paymentId);
  const timeline = await engine.ledger.timeline({ paymentId });
  // A reload of the cancel link adds no second entry.
  if (timeline.at(-1)?.kind !== "cancelled") await recordEntry(engine, paymentId, "shopper", { kind: "cancelled" });
}
