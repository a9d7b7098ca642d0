import { equationOf, gatherMovements, type Payment, type Refund, refundPayment } from "@tillkit/core";
import { assertRefundAccepted } from "../provider/refund.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";

/**
 * Refunds the rest of a payment that Medusa itself cannot refund: one that the owner accepted although a person had marked its order
 * as paid by hand (Medusa records it under its manual provider, whose refunds move no money), or one of a canceled order. A repeated
 * call refunds once; after a failed refund it sends a new one. Null: nothing is left to refund.
 * @throws CheckoutError as `refundPayment` of @tillkit/core does; Error with a text when the service refused the refund
 */
export async function refundRest(
  { engine, ledger }: Pick<CheckoutRuntime, "engine" | "ledger">,
  payment: Payment,
  by: string,
): Promise<Refund | null> {
  const firstKey = `accepted:${payment.id}`;
  const movements = await gatherMovements(ledger, payment.id);
  const { refunds } = movements;
  const failedCount = refunds.filter((refund) => refund.key.startsWith(firstKey) && refund.state === "failed").length;
  const key = failedCount === 0 ? firstKey : `${firstKey}:${failedCount + 1}`;
  const previous = refunds.find((refund) => refund.key === key);
  const amount = previous?.amount ?? equationOf(payment, movements).available;
  if (amount.minor <= 0) return null;
  const sent = await refundPayment(engine, {
    paymentId: payment.id,
    key,
    amount,
    origin: "tillkit",
    allowedStates: ["recorded", "verified"],
    by,
  });
  assertRefundAccepted(sent);
  return sent;
}
