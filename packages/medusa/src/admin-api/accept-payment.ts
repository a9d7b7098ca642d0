import { acceptReview, type ConfirmResult, findingKey, type Payment } from "@tillkit/core";
import { userError } from "../errors/user-error.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { readCollection } from "../store/payment-collection.ts";
import { readOpenCart } from "./place-order.ts";
import { type Decision, seenOf } from "./seen-payment.ts";

/**
 * Accepts the difference that the page showed, and no other. The payment is then verified again and places its order.
 * @throws Error with a text when the payment changed since it was shown; CheckoutError as `acceptReview` does
 */
export async function acceptPayment(
  runtime: CheckoutRuntime,
  payment: Payment,
  { by, seen }: Decision,
): Promise<ConfirmResult> {
  const { engine, ledger } = runtime;
  const { id: paymentId, finding } = payment;
  await assertAsSeen(runtime, payment, seen);
  return await acceptReview(engine, {
    paymentId,
    by,
    seen: finding ? findingKey(finding) : "",
    // A refund may be made between the check above and the acceptance.
    async stillApplies() {
      await assertAsSeen(runtime, await ledger.find({ id: paymentId }), seen);
      return true;
    },
  });
}

async function assertAsSeen(runtime: CheckoutRuntime, payment: Payment | null, seen: string): Promise<void> {
  const { container, ledger } = runtime;
  const collection = payment && (await readCollection(container, payment.ref.orderId));
  const openCart = payment && (await readOpenCart(runtime, payment, collection));
  if (payment === null || (await seenOf(ledger, payment, openCart)) !== seen) throw userError("decisionOutdated");
}
