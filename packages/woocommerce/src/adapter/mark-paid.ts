import { type Receipt, type StoreAnswer, StoreError } from "@tillkit/core";
import { GATEWAY, META } from "../protocol/names.ts";
import { gone, transactionOf } from "./answers.ts";
import { settleByPlugin } from "./settle-by-plugin.ts";
import { asksFor, isPayable, proofOf, type WooOrder } from "./woo-order.ts";
import type { WooShop } from "./woo-shop.ts";

/** Reads, then writes on the condition of what was read; the answer to the write has to show the payment. */
export async function markPaid(shop: WooShop, receipt: Receipt): Promise<StoreAnswer> {
  const before = await shop.readOrder(receipt.ref);
  if (!before) return gone(receipt.ref.orderId);
  if (proofOf(before) !== null) return shownBy(before, receipt.paymentId, "already");
  if (!isPayable(before)) return notPayable(before);
  if (!asksFor(before, receipt)) return edited(before);
  if (shop.settleBy !== "rest") {
    const answer = await settleByPlugin(shop, before, receipt);
    if (answer) return answer;
  }
  return await settleByRest(shop, before, receipt);
}

/**
 * `PUT /wc/v3/orders/{id}` with `set_paid`, which counts for pending, failed and draft orders only and is answered 200 for
 * all others: an order on hold is taken off it by the same request.
 */
async function settleByRest(shop: WooShop, before: WooOrder, receipt: Receipt): Promise<StoreAnswer> {
  const orderId = String(before.id);
  const after = await shop.changeOrder(orderId, {
    ...(before.status === "on-hold" ? { status: "pending" } : {}),
    set_paid: true,
    payment_method: GATEWAY,
    transaction_id: transactionOf(receipt),
    meta_data: [{ key: META.payment, value: receipt.paymentId }],
  });
  if (!after) return gone(orderId);
  if (proofOf(after) !== null) return shownBy(after, receipt.paymentId, "recorded");
  if (!isPayable(after)) return notPayable(after);
  throw new StoreError(
    "unavailable",
    `The shop took the payment of order ${orderId} and does not show it: another plugin interferes with payment_complete.`,
  );
}

function edited({ id }: WooOrder): StoreAnswer {
  return { outcome: "not-payable", detail: `Order ${id} was edited a moment ago.` };
}

function notPayable({ id, status }: WooOrder): StoreAnswer {
  return { outcome: "not-payable", detail: `Order ${id} is "${status}" in the shop.` };
}

function shownBy(order: WooOrder, paymentId: string, own: "recorded" | "already"): StoreAnswer {
  const paidBy = proofOf(order);
  if (paidBy === paymentId) return { outcome: own, evidence: "read-back" };
  return { outcome: "other-payment", detail: `Order ${order.id} shows the payment ${paidBy}.` };
}
