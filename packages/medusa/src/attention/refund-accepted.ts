import { type Payment, refundableAmount, refundPayment } from "@tillkit/core";
import type { Till } from "../till/open-till.ts";

/**
 * Gives back what is left of a payment that counts for an order which its owner set to paid: Medusa holds that money under its
 * own provider, which sends nothing. Asked twice, it happens once; asked again after it failed, it is tried anew.
 * @throws CheckoutError as refundPayment does
 */
export async function refundAccepted({ engine, ledger }: Till, payment: Payment, by: string): Promise<void> {
  const name = `accepted:${payment.id}`;
  const known = await ledger.refunds(payment.id);
  const failed = known.filter(({ key, state }) => key.startsWith(name) && state === "failed").length;
  const key = failed === 0 ? name : `${name}:${failed + 1}`;
  const own = known.find((refund) => refund.key === key);
  const amount = own?.amount ?? refundableAmount(payment, known);
  await refundPayment(engine, {
    paymentId: payment.id,
    key,
    amount,
    origin: "policy",
    allowedStates: ["recorded"],
    by,
  });
}
