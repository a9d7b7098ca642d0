import { type Payment, refundableAmount, refundPayment } from "@tillkit/core";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";

/**
 * Refunds the rest of a payment that the owner accepted although a person had marked its order as paid by hand. Medusa records
 * such a payment under its manual provider, whose refunds move no money. A repeated call refunds once; after a failed refund it
 * sends a new one.
 * @throws CheckoutError as `refundPayment` of @tillkit/core does
 */
export async function refundAcceptedPayment(
  { engine, ledger }: CheckoutRuntime,
  payment: Payment,
  by: string,
): Promise<void> {
  const firstKey = `accepted:${payment.id}`;
  const refunds = await ledger.refunds(payment.id);
  const failedCount = refunds.filter((refund) => refund.key.startsWith(firstKey) && refund.state === "failed").length;
  const key = failedCount === 0 ? firstKey : `${firstKey}:${failedCount + 1}`;
  const previous = refunds.find((refund) => refund.key === key);
  const amount = previous?.amount ?? refundableAmount(payment, refunds);
  await refundPayment(engine, {
    paymentId: payment.id,
    key,
    amount,
    origin: "tillkit",
    allowedStates: ["recorded"],
    by,
  });
}
