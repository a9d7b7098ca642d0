import { type Ledger, type Payment, shownPayment } from "@tillkit/core";

/**
 * Which of these payments a refund of Shopify's is of: the one that was asked for this very refund before, whatever became of
 * it since; else the one that the order shows.
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
