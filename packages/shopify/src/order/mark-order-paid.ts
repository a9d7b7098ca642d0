import {
  decimalText,
  type Money,
  type OrderRef,
  type Receipt,
  type StoreAnswer,
  StoreError,
  sameMoney,
} from "@tillkit/core";
import {
  captureOrder,
  createManualPayment,
  keepOnOrder,
  markOrderAsPaid,
  NAMESPACE,
} from "../graphql/admin-operations.ts";
import { firstError, type UserErrors } from "../graphql/operation.ts";
import { shopifyLimits } from "../limits.ts";
import type { FoundOrder, OrderParts } from "./order-adapter.ts";
import { orderOf, outstandingOf, waitingSale } from "./order-view.ts";

export type OrderShop = OrderParts & {
  readonly shop: string;
  read(ref: OrderRef, attempt: string): Promise<FoundOrder | null>;
};

/**
 * Books exactly what was paid on the order, once: its payment's id is written on it first, then the money is booked, then the
 * order is read again. The engine sees to it that nobody else writes meanwhile. Of an order that its owner set to paid, the
 * money is booked already: only the payment's id is written.
 */
export async function markOrderPaid(orderShop: OrderShop, receipt: Receipt): Promise<StoreAnswer> {
  const { clock, read } = orderShop;
  const lastSendAt = clock.now() + shopifyLimits.lastSendMs;
  const before = await read(receipt.ref, receipt.attempt);
  if (!before) return { outcome: "gone", detail: `The shop has no order ${receipt.ref.orderId}.` };
  const answer = standingAnswer(before, receipt);
  if (answer) return answer;
  await writeProof(orderShop, before, receipt);
  if (clock.now() > lastSendAt) throw new StoreError("unavailable", "Shopify is too slow to book a payment now.");
  if (!receipt.alreadyPaid) await book(orderShop, before, receipt, lastSendAt);
  const after = await read(receipt.ref, receipt.attempt);
  if (after && orderOf(after.found, receipt.ref, after).paidBy === receipt.paymentId) {
    return { outcome: "recorded", evidence: "read-back" };
  }
  throw new StoreError("unknown", "Shopify booked the payment, and does not show it yet.");
}

/** What is to be said without writing anything; null: the order waits for exactly this money, or for its payment's id. */
function standingAnswer(before: FoundOrder, receipt: Receipt): StoreAnswer | null {
  const { found } = before;
  const order = orderOf(found, receipt.ref, before);
  if (order.paidBy === receipt.paymentId) return { outcome: "already", evidence: "read-back" };
  const isSetToPaid = receipt.alreadyPaid === true && (order.paidBy === "owner" || order.paidBy === "unclear");
  if (order.paidBy !== null && !isSetToPaid) return paidAlready(order.paidBy);
  if ((found.cancelledAt ?? null) !== null) return { outcome: "not-payable", detail: "The order was cancelled." };
  if ((!order.payable && !isSetToPaid) || order.environment !== receipt.environment) {
    return { outcome: "not-payable", detail: "The order does not wait for a payment of this kind and mode." };
  }
  if (isSetToPaid) return null;
  // The owner's decision was there when this payment was judged, and is gone: it has to be judged anew.
  if (receipt.alreadyPaid) throw new StoreError("unavailable", "The order is no longer set to paid.");
  if (sameMoney(order.total, receipt.total)) return null;
  return { outcome: "not-payable", detail: "The order was edited since its payment was judged." };
}

// Money that may be this very payment's is not called a second payment: it is judged anew, and held.
function paidAlready(paidBy: string): StoreAnswer {
  if (paidBy === "unclear")
    throw new StoreError("unavailable", "The order is paid, and Shopify does not show by what.");
  return { outcome: "other-payment", detail: "The order shows another payment, or was paid by other means." };
}

async function writeProof({ graphql, shop }: OrderShop, { found }: FoundOrder, { paymentId }: Receipt): Promise<void> {
  if (found.proof?.value === paymentId) return;
  const type = "single_line_text_field";
  const metafield = { ownerId: found.id, namespace: NAMESPACE, key: "payment", type, value: paymentId };
  const { userErrors } = await graphql.call(shop, keepOnOrder, { metafields: [metafield] });
  if (userErrors.length > 0)
    throw new StoreError("unavailable", `Shopify did not keep the payment's id (${firstError(userErrors)}).`);
}

/**
 * By the most exact means that this order allows: a capture of the waiting sale, a manual payment, and, only where what was
 * paid is all that is outstanding, the mark as paid. A refusal certainly booked nothing, so the next one may follow it.
 */
async function book(orderShop: OrderShop, before: FoundOrder, receipt: Receipt, lastSendAt: number): Promise<void> {
  const { graphql, shop, clock } = orderShop;
  const { found, gatewayName } = before;
  const outstanding = outstandingOf(found);
  const amount = lesser(receipt.paid, outstanding);
  const refused: string[] = [];
  const isOver = (errors: UserErrors) => {
    if (errors.length === 0) return true;
    refused.push(firstError(errors));
    if (clock.now() > lastSendAt) throw new StoreError("unavailable", "Shopify is too slow to book a payment now.");
    return false;
  };

  const sale = waitingSale(found, gatewayName);
  if (sale) {
    const input = {
      id: found.id,
      parentTransactionId: sale.id,
      amount: decimalText(amount),
      currency: amount.currency,
    };
    if (isOver((await graphql.call(shop, captureOrder, { input })).userErrors)) return;
  }
  const booked = await graphql.call(shop, createManualPayment, {
    id: found.id,
    amount: { amount: decimalText(amount), currencyCode: amount.currency },
    paymentMethodName: gatewayName ?? "",
  });
  if (isOver(booked.userErrors)) return;
  if (sameMoney(receipt.paid, outstanding) && found.canMarkAsPaid) {
    if (isOver((await graphql.call(shop, markOrderAsPaid, { input: { id: found.id } })).userErrors)) return;
  }
  throw new StoreError("unavailable", `Shopify refused to book the payment (${refused.join(", ")}).`);
}

function lesser(one: Money, other: Money): Money {
  return one.minor <= other.minor ? one : other;
}
