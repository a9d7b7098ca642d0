import {
  codeOf,
  equationOf,
  gatherMovements,
  isInDoubt,
  type Movements,
  type Payment,
  type Refund,
  refundPayment,
} from "@tillkit/core";
import { userError } from "../errors/user-error.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { isCanceledInMedusa } from "../store/order.ts";
import { readCollection } from "../store/payment-collection.ts";
import { assertRefundAccepted } from "./refund.ts";

/**
 * Medusa cancels a payment in two very different situations: the order was canceled, or Medusa's own database failed right
 * after the payment succeeded. So this refunds only payments of an order that Medusa shows as canceled. In every other case
 * it does nothing, and a later job completes the cart again.
 * @throws Error with a text when the refund was refused or its outcome is unknown
 */
export async function cancel(runtime: CheckoutRuntime, payment: Payment): Promise<void> {
  const movements = await gatherMovements(runtime.ledger, payment.id);
  const requested = movements.refunds.filter(({ key }) => key.startsWith(cancelKeyOf(payment)));
  const isPaid = payment.state === "verified" || payment.state === "recorded" || requested.length > 0;
  if (!isPaid || !(await isOrderCanceled(runtime, payment))) {
    runtime.log.info("cancel.skipped", { paymentId: payment.id, state: payment.state });
    return;
  }
  try {
    assertRefundAccepted(await refundRemainder(runtime, payment, { movements, requested }));
  } catch (error) {
    runtime.log.warn("cancel.refund_failed", { paymentId: payment.id, code: codeOf(error) });
    throw error;
  }
}

function cancelKeyOf({ id }: Payment): string {
  return `medusa:cancel:${id}`;
}

/** `requested`: the refunds of the payment that an earlier cancellation requested. */
type Known = { readonly movements: Movements; readonly requested: readonly Refund[] };

// After a failed refund the next call sends a new one under a new key; every other call repeats the last one. Disputed money stays where
// it is: the bank decides about it.
async function refundRemainder(
  { engine }: CheckoutRuntime,
  payment: Payment,
  { movements, requested }: Known,
): Promise<Refund | null> {
  if (movements.refunds.some((refund) => !requested.includes(refund) && isInDoubt(refund)))
    throw userError("refundUnknown");
  const last = requested.find(({ state }) => state !== "failed");
  const amount = last?.amount ?? equationOf(payment, movements).available;
  if (amount.minor <= 0) return null;
  const nextKey = requested.length === 0 ? cancelKeyOf(payment) : `${cancelKeyOf(payment)}:${requested.length + 1}`;
  const request = { paymentId: payment.id, key: last?.key ?? nextKey, amount, origin: "store" } as const;
  return await refundPayment(engine, { ...request, shownByStore: true });
}

async function isOrderCanceled({ container }: CheckoutRuntime, { ref }: Payment): Promise<boolean> {
  const collection = await readCollection(container, ref.orderId);
  return collection !== null && (await isCanceledInMedusa(container, collection));
}
