import { type Payment, type Refund, refundableAmount } from "@tillkit/core";
import { type FailedRefund, findFailedRefunds } from "../refunds/failed-refunds.ts";
import { isSettled } from "../refunds/settled-refunds.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { isCanceledInMedusa } from "../store/order.ts";
import { findMedusaPayment, manualPaymentFor } from "../store/paid-by.ts";
import { amountLeft, type PaymentCollection, readCollection } from "../store/payment-collection.ts";

/** What a person must look at although the payment's state needs no review. */
export type PaymentProblems = {
  /** Refunds that Medusa shows and that failed later. */
  readonly failedRefunds: readonly FailedRefund[];
  /** The order was canceled, and neither the service nor Medusa has a refund of what is left. */
  readonly isCanceledUnrefunded: boolean;
  /** The owner's own refund of an accepted payment that failed last and was not settled otherwise. */
  readonly failedOwnRefund: Refund | null;
};

/** Reads the collection from Medusa unless the caller passes it. */
export async function findProblems(
  runtime: CheckoutRuntime,
  payment: Payment,
  collection?: PaymentCollection | null,
): Promise<PaymentProblems> {
  const { container, ledger } = runtime;
  const [currentCollection, failedRefunds, refunds] = await Promise.all([
    collection === undefined ? readCollection(container, payment.ref.orderId) : collection,
    findFailedRefunds(runtime, payment),
    ledger.refunds(payment.id),
  ]);
  const isPaying = payment.state === "recorded" || payment.state === "verified";
  const isAmountLeft = isPaying && refundableAmount(payment, refunds).minor > 0;
  return {
    failedRefunds,
    isCanceledUnrefunded:
      isAmountLeft &&
      currentCollection !== null &&
      holdsAmount(currentCollection, payment.id) &&
      (await isCanceledInMedusa(container, currentCollection)),
    failedOwnRefund: isAmountLeft ? await findFailedOwnRefund(runtime, refunds) : null,
  };
}

export function needsAttention({ failedRefunds, isCanceledUnrefunded, failedOwnRefund }: PaymentProblems): boolean {
  return failedRefunds.length > 0 || isCanceledUnrefunded || failedOwnRefund !== null;
}

async function findFailedOwnRefund(runtime: CheckoutRuntime, refunds: readonly Refund[]): Promise<Refund | null> {
  const last = refunds.filter(({ origin, state }) => origin === "tillkit" && state === "failed").at(-1);
  return last === undefined || (await isSettled(runtime, last.key)) ? null : last;
}

function holdsAmount(collection: PaymentCollection, paymentId: string): boolean {
  const medusaPayment = findMedusaPayment(collection, paymentId) ?? manualPaymentFor(collection, paymentId);
  return medusaPayment !== null && amountLeft(medusaPayment, collection.currencyCode).minor > 0;
}
