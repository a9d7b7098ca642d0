import { decimalText, type Money, type Receipt, StoreError, sameMoney } from "@tillkit/core";
import { captureOrder, createManualPayment, markOrderAsPaid } from "../operations/order-mutations.ts";
import { describeUserErrors, type UserErrors } from "../shopify-api/operation.ts";
import type { FoundOrder, OrderStore } from "./order-store.ts";
import { pendingSale } from "./order-transactions.ts";
import { outstandingAmount } from "./to-order.ts";

/**
 * Records money on the order by the most exact mutation that Shopify accepts: a capture of the pending sale, a manual payment,
 * or the mark as paid where the payment equals the outstanding amount. A refused mutation recorded nothing, so the next one
 * may follow. @throws StoreError `unavailable` when Shopify refuses all of them
 */
export async function recordPayment(
  { graphql, shop, clock }: OrderStore,
  { adminOrder, gatewayName }: FoundOrder,
  { paid }: Receipt,
  lastWriteAt: number,
): Promise<void> {
  const outstanding = outstandingAmount(adminOrder);
  const amount = smallerAmount(paid, outstanding);
  const refusals: string[] = [];

  function isAccepted({ userErrors }: { readonly userErrors: UserErrors }): boolean {
    if (userErrors.length === 0) return true;
    refusals.push(describeUserErrors(userErrors));
    if (clock.now() > lastWriteAt) throw tooSlow();
    return false;
  }

  const sale = pendingSale(adminOrder, gatewayName);
  if (sale) {
    const capture = { id: adminOrder.id, parentTransactionId: sale.id, amount: decimalText(amount) };
    const input = { ...capture, currency: amount.currency };
    if (isAccepted(await graphql.call(shop, captureOrder, { input }))) return;
  }
  const payment = {
    id: adminOrder.id,
    amount: { amount: decimalText(amount), currencyCode: amount.currency },
    paymentMethodName: gatewayName ?? "",
  };
  if (isAccepted(await graphql.call(shop, createManualPayment, payment))) return;
  if (sameMoney(paid, outstanding) && adminOrder.canMarkAsPaid) {
    if (isAccepted(await graphql.call(shop, markOrderAsPaid, { input: { id: adminOrder.id } }))) return;
  }
  throw new StoreError("unavailable", `Shopify refused to record the payment (${refusals.join(", ")}).`);
}

export function tooSlow(): StoreError {
  return new StoreError("unavailable", "Shopify is too slow to record a payment at the moment.");
}

function smallerAmount(one: Money, other: Money): Money {
  return one.minor <= other.minor ? one : other;
}
