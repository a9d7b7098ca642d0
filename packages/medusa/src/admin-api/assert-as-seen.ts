import type { Payment } from "@tillkit/core";
import { userError } from "../errors/user-error.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { readCollection } from "../store/payment-collection.ts";
import { readOpenCart } from "./place-order.ts";
import { seenOf } from "./seen-payment.ts";

/**
 * @param seen `PaymentView.seen` of the page on which the person decided
 * @throws Error with a text for that person, unless the payment is as they saw it
 */
export async function assertAsSeen(runtime: CheckoutRuntime, payment: Payment | null, seen: string): Promise<void> {
  const { container } = runtime;
  const collection = payment && (await readCollection(container, payment.ref.orderId));
  const openCart = payment && (await readOpenCart(runtime, payment, collection));
  const current = payment && (await seenOf(runtime, payment, openCart));
  if (current !== seen) throw userError("decisionOutdated");
}

/** For the engine, which calls it right before it commits the decision. Throws as `assertAsSeen` does. */
export function stillAsSeen(runtime: CheckoutRuntime, id: string, seen: string): () => Promise<boolean> {
  return async () => {
    await assertAsSeen(runtime, await runtime.ledger.find({ id }), seen);
    return true;
  };
}
