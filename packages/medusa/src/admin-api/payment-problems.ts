import { gatherMovements, type Payment, type Refund } from "@tillkit/core";
import { type MoneyDecisions, moneyDecisions } from "@tillkit/runtime";
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
  /** What a person must decide about the payment's money. */
  readonly money: MoneyDecisions;
  /** Lost disputes took the payment's money back, and its order is not canceled. */
  readonly isLost: boolean;
};

/** Reads the collection from Medusa unless the caller passes it. */
export async function findProblems(
  runtime: CheckoutRuntime,
  payment: Payment,
  collection?: PaymentCollection | null,
): Promise<PaymentProblems> {
  const { container, ledger, engine } = runtime;
  const [currentCollection, failedRefunds, movements] = await Promise.all([
    collection === undefined ? readCollection(container, payment.ref.orderId) : collection,
    findFailedRefunds(runtime, payment),
    gatherMovements(ledger, payment.id),
  ]);
  const money = moneyDecisions(payment, movements, engine.clock.now());
  const isPaying = payment.state === "recorded" || payment.state === "verified";
  const isAmountLeft = isPaying && money.equation.available.minor > 0;
  const mustKnowOrder = isAmountLeft || payment.lostToDispute;
  const isCanceled =
    mustKnowOrder && currentCollection !== null && (await isCanceledInMedusa(container, currentCollection));
  return {
    failedRefunds,
    isCanceledUnrefunded:
      isAmountLeft && isCanceled && currentCollection !== null && holdsAmount(currentCollection, payment.id),
    failedOwnRefund: isAmountLeft ? await findFailedOwnRefund(runtime, movements.refunds) : null,
    money,
    isLost: payment.lostToDispute && !isCanceled,
  };
}

export function needsAttention({ money, isLost, ...problems }: PaymentProblems): boolean {
  const { failedRefunds, isCanceledUnrefunded, failedOwnRefund } = problems;
  const isMoneyUndecided = money.refundsInDoubt.length > 0 || money.disputesWithoutOutcome.length > 0;
  return failedRefunds.length > 0 || isCanceledUnrefunded || failedOwnRefund !== null || isMoneyUndecided || isLost;
}

async function findFailedOwnRefund(runtime: CheckoutRuntime, refunds: readonly Refund[]): Promise<Refund | null> {
  const last = refunds.filter(({ origin, state }) => origin === "tillkit" && state === "failed").at(-1);
  return last === undefined || (await isSettled(runtime, last.key)) ? null : last;
}

function holdsAmount(collection: PaymentCollection, paymentId: string): boolean {
  const medusaPayment = findMedusaPayment(collection, paymentId) ?? manualPaymentFor(collection, paymentId);
  return medusaPayment !== null && amountLeft(medusaPayment, collection.currencyCode).minor > 0;
}
