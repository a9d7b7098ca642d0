import { decimalText, isInDoubt, type Money, type Payment } from "@tillkit/core";
import { refundOffered, viewPayment } from "@tillkit/core/back-office";
import { recordRefundWithin, refundableRest } from "@tillkit/core/store-refunds";
import { pluginLimits } from "../limits.ts";
import { assertAccepted } from "../provider/refund.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { workflowEngineOf } from "../store/medusa-container.ts";
import { isCancelable, readCollectionIds } from "../store/order.ts";
import { findMedusaPayment, manualPaymentFor } from "../store/paid-by.ts";
import { amountLeft, type MedusaPayment, readCollection } from "../store/payment-collection.ts";
import { backOfficeOf } from "./back-office.ts";
import { decideInMedusa } from "./decide-payment.ts";

const REFUND_PAYMENT = "refund-payment-workflow";

/**
 * Refunds what is left of our payments on an order that is about to be canceled. Medusa's own cancellation only logs a refund that
 * was refused, cancels the order and answers 200; here the refusal reaches the person who cancels, and the order stays as it is.
 * Nothing is refunded on an order that Medusa would not cancel. Disputed money is not refunded: the bank decides about it, and a person may
 * refund over the dispute on the admin page. `by` is Medusa's id of the person who cancels.
 * @throws Error with a text when a refund was refused or its outcome is unknown
 */
export async function refundBeforeCancel(runtime: CheckoutRuntime, orderId: string, by: string): Promise<void> {
  const { container, ledger, options } = runtime;
  if (!(await isCancelable(container, orderId))) return;
  for (const collectionId of await readCollectionIds(container, orderId)) {
    const collection = await readCollection(container, collectionId);
    if (!collection) continue;
    const payments = await ledger.paymentsOfOrder({ storeId: options.storeId, orderId: collectionId });
    for (const payment of payments) {
      if (manualPaymentFor(collection, payment.id)) {
        await refundManual(runtime, payment, by);
        continue;
      }
      const medusaPayment = findMedusaPayment(collection, payment.id);
      if (!medusaPayment?.isCaptured || medusaPayment.isCanceled) continue;
      const counted = amountLeft(medusaPayment, collection.currencyCode);
      await refundInMedusa(runtime, medusaPayment, await refundableRest(ledger, payment, counted), by);
    }
  }
}

// Runs Medusa's own refund of what may go back: Medusa records the refund, and our provider sends it.
async function refundInMedusa(
  { container }: CheckoutRuntime,
  payment: MedusaPayment,
  refundable: Money,
  by: string,
): Promise<void> {
  if (refundable.minor <= 0) return;
  const input = { payment_id: payment.id, amount: Number(decimalText(refundable)), created_by: by };
  await workflowEngineOf(container).run(REFUND_PAYMENT, { input });
}

// Medusa holds this payment under its manual provider, whose refunds move no money, so we send the refund ourselves. It is recorded
// in Medusa before the order is canceled: the cancellation counts the amount as refunded too, but does not name the refund.
async function refundManual(runtime: CheckoutRuntime, payment: Payment, by: string): Promise<void> {
  const view = await viewPayment(backOfficeOf(runtime), payment);
  const { refunds } = view.movements;
  if (refundOffered(view) === null && !refunds.some(isInDoubt)) return;
  // After a lost answer the next click is the same decision; after a failed refund it is another one.
  const id = `cancel:${refunds.filter(({ state }) => state === "failed").length}`;
  const decision = { kind: "refund", transactionId: null, amount: null, seen: view.seen, id } as const;
  const admin = { runtime, language: runtime.options.language, by };
  const { refund: sent } = await decideInMedusa(admin, payment, decision);
  if (sent === null) return;
  if (isInDoubt(sent)) assertAccepted(runtime, payment, { kind: "unknown", refund: sent });
  // The worker records it too: without the order's lease both would record it. Medusa has no pending refund.
  const recorded = { ...sent, state: "completed" } as const;
  await recordRefundWithin(runtime.engine, payment, recorded, pluginLimits.refundWaitMs);
}
