import { CheckoutError } from "../domain/checkout-error.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentLedger } from "../ports/payment-ledger.ts";

export async function getPayment(
  engine: { readonly ledger: Pick<PaymentLedger, "find"> },
  paymentId: string,
): Promise<Payment> {
  const payment = await engine.ledger.find({ id: paymentId });
  if (!payment) throw new CheckoutError("payment_not_found", "There is no such payment: start again from the shop.");
  return payment;
}
