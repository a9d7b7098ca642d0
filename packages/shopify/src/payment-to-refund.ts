import { type Ledger, type Payment, shownPayment } from "@tillkit/core";

/**
 * The payment that a refund of the shop belongs to: the payment that already has a refund with this key, whatever its state,
 * else the payment that the order shows.
 */
export async function paymentToRefund(
  ledger: Pick<Ledger, "refunds">,
  payments: readonly Payment[],
  key: string,
): Promise<Payment | null> {
  for (const payment of payments) {
    const refunds = await ledger.refunds(payment.id);
    if (refunds.some((refund) => refund.key === key)) return payment;
  }
  return shownPayment(payments);
}
