import type { Payment } from "@tillkit/core";
import { requestRest } from "@tillkit/core/store-refunds";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { isCanceledInMedusa } from "../store/order.ts";
import { readCollection } from "../store/payment-collection.ts";
import { assertAccepted } from "./refund.ts";

/**
 * Medusa cancels a payment in two very different situations: the order was canceled, or Medusa's own database failed right
 * after the payment succeeded. So this refunds only payments of an order that Medusa shows as canceled. In every other case
 * it does nothing, and a later job completes the cart again.
 * @throws MedusaError with a text when the refund was refused or its outcome is unknown
 */
export async function cancel(runtime: CheckoutRuntime, payment: Payment): Promise<void> {
  const isCanceled = await isOrderCanceled(runtime, payment);
  const answer = isCanceled ? await requestRest(runtime, payment, `medusa:cancel:${payment.id}`) : null;
  if (answer === null) runtime.log.info("cancel.skipped", { paymentId: payment.id, state: payment.state });
  else assertAccepted(runtime, payment, answer);
}

async function isOrderCanceled({ container }: CheckoutRuntime, { ref }: Payment): Promise<boolean> {
  const collection = await readCollection(container, ref.orderId);
  return collection !== null && (await isCanceledInMedusa(container, collection));
}
