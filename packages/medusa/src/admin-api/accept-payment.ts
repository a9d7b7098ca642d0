import { acceptReview, type ConfirmResult, findingKey, type Payment } from "@tillkit/core";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { assertAsSeen, stillAsSeen } from "./assert-as-seen.ts";
import type { Decision } from "./seen-payment.ts";

/**
 * Accepts the difference that the page showed, and no other. The payment is then verified again and places its order.
 * @throws Error with a text when the payment changed since it was shown; CheckoutError as `acceptReview` does
 */
export async function acceptPayment(
  runtime: CheckoutRuntime,
  payment: Payment,
  { by, seen }: Decision,
): Promise<ConfirmResult> {
  const { id: paymentId, finding } = payment;
  await assertAsSeen(runtime, payment, seen);
  return await acceptReview(runtime.engine, {
    paymentId,
    by,
    seen: finding ? findingKey(finding) : "",
    // A refund may be made between the check above and the acceptance.
    stillApplies: stillAsSeen(runtime, paymentId, seen),
  });
}
