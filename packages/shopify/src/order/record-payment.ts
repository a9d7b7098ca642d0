import { decimalText, type Money, type Receipt, StoreError, sameMoney } from "@tillkit/core";
import { captureOrder, createManualPayment, markOrderAsPaid } from "../operations/order-mutations.ts";
import { AccessDenied } from "../shopify-api/access-denied.ts";
import { describeUserErrors, type Operation, type UserErrors } from "../shopify-api/operation.ts";
import type { FoundOrder, OrderStore } from "./order-store.ts";
import { gatewayOf, pendingSale } from "./order-transactions.ts";
import { outstandingAmount } from "./to-order.ts";

/**
 * Records money on the order by the most exact mutation that Shopify accepts: a capture of the pending sale, a manual payment, or
 * the mark as paid where the payment equals the outstanding amount. Outside of the Plus plan Shopify accepts no manual payment
 * with an amount. A refused mutation recorded nothing, so the next one may follow.
 *
 * @returns `not-possible` where the payment differs from the outstanding amount and only the owner can record it
 * @throws StoreError `unavailable` when Shopify refuses all of them for now
 */
export async function recordPayment(
  store: OrderStore,
  found: FoundOrder,
  { paid }: Receipt,
): Promise<"recorded" | "not-possible"> {
  const { adminOrder } = found;
  const outstanding = outstandingAmount(adminOrder);
  const amount = smallerAmount(paid, outstanding);
  const refusals = new Map<Operation<unknown>, string>();

  async function isAccepted(mutation: RecordingMutation, variables: object): Promise<boolean> {
    const refusal = await refusalOf(store, mutation, variables);
    if (refusal === null) return true;
    refusals.set(mutation, refusal);
    return false;
  }

  const sale = pendingSale(adminOrder, found);
  if (sale) {
    const capture = { id: adminOrder.id, parentTransactionId: sale.id, amount: decimalText(amount) };
    if (await isAccepted(captureOrder, { input: { ...capture, currency: amount.currency } })) return "recorded";
  }
  const payment = {
    id: adminOrder.id,
    amount: { amount: decimalText(amount), currencyCode: amount.currency },
    paymentMethodName: gatewayOf(adminOrder, found) ?? "",
  };
  if (await isAccepted(createManualPayment, payment)) return "recorded";
  if (sameMoney(paid, outstanding)) {
    const input = { id: adminOrder.id };
    if (adminOrder.canMarkAsPaid && (await isAccepted(markOrderAsPaid, { input }))) return "recorded";
  } else if (refusals.get(createManualPayment) === ACCESS_DENIED) {
    // Shopify denies manual payments on this shop's plan, and a mark as paid would record another amount than was paid.
    return "not-possible";
  }
  throw new StoreError("unavailable", `Shopify refused to record the payment (${[...refusals.values()].join(", ")}).`);
}

type RecordingMutation = Operation<{ readonly userErrors: UserErrors }>;

const ACCESS_DENIED = "ACCESS_DENIED";

/** Why Shopify refused a mutation; null where it accepted it. */
async function refusalOf({ graphql, shop }: OrderStore, mutation: RecordingMutation, variables: object) {
  try {
    const { userErrors } = await graphql.call(shop, mutation, variables);
    return userErrors.length === 0 ? null : describeUserErrors(userErrors);
  } catch (error) {
    if (error instanceof AccessDenied) return ACCESS_DENIED;
    throw error;
  }
}

function smallerAmount(one: Money, other: Money): Money {
  return one.minor <= other.minor ? one : other;
}
