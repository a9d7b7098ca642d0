import { providerName, type Receipt, type StoreAnswer, StoreError, sameMoney } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";
import { setOrderMetafields } from "../operations/order-mutations.ts";
import { PAYMENT_NAMESPACE } from "../operations/order-queries.ts";
import { describeUserErrors } from "../shopify-api/operation.ts";
import { leaveToOwner } from "./leave-to-owner.ts";
import type { FoundOrder, OrderStore } from "./order-store.ts";
import { recordPayment } from "./record-payment.ts";
import { toOrder } from "./to-order.ts";

/**
 * Records a payment on the order once: it writes the id of the payment on the order, records the money, and reads the order
 * again. The engine ensures that no other process writes meanwhile. On an order that its owner set to paid, the money is
 * recorded already and only the id is written.
 */
export async function markOrderPaid(store: OrderStore, receipt: Receipt): Promise<StoreAnswer> {
  const { read } = store.forOneCall();
  const writingStore = store.forOneCall(shopifyLimits.lastWriteMs);
  const before = await read(receipt.ref, receipt.attempt);
  if (!before) return { outcome: "gone" };
  const answer = answerWithoutWriting(before, receipt);
  if (answer) return answer;
  await writePaymentId(writingStore, before, receipt);
  const isRecorded = receipt.alreadyPaid || (await recordPayment(writingStore, before, receipt)) === "recorded";
  if (!isRecorded) return await leaveToOwner(writingStore, before, receipt);
  const after = await read(receipt.ref, receipt.attempt);
  if (after && toOrder(after.adminOrder, receipt.ref, after).paidBy === receipt.paymentId) {
    return { outcome: "recorded", evidence: "read-back" };
  }
  throw new StoreError("unknown", "Shopify accepted the payment and does not show it on the order yet.");
}

/** The answer where nothing is to be written. Null where the order waits for exactly this payment or for its id. */
function answerWithoutWriting(before: FoundOrder, receipt: Receipt): StoreAnswer | null {
  const { adminOrder } = before;
  const order = toOrder(adminOrder, receipt.ref, before);
  if (order.paidBy === receipt.paymentId) return { outcome: "already", evidence: "read-back" };
  const isSetToPaid = receipt.alreadyPaid === true && (order.paidBy === "owner" || order.paidBy === "unclear");
  if (order.paidBy !== null && !isSetToPaid) return answerForPaidOrder(order.paidBy);
  if ((adminOrder.cancelledAt ?? null) !== null) return { outcome: "not-payable", why: { kind: "cancelled" } };
  if ((!order.payable && !isSetToPaid) || order.environment !== receipt.environment) {
    return { outcome: "not-payable", why: { kind: "method_missing" } };
  }
  if (isSetToPaid) return null;
  // The verdict on this payment relied on the owner's decision, which was undone. The engine must verify the payment again.
  if (receipt.alreadyPaid) throw new StoreError("unavailable", "The order is no longer set to paid.");
  if (sameMoney(order.total, receipt.total)) return null;
  return { outcome: "not-payable", why: { kind: "total_changed" } };
}

// "unclear" may mean this payment, so the payment is verified again and then held, and not treated as a duplicate.
function answerForPaidOrder(paidBy: string): StoreAnswer {
  if (paidBy === "unclear")
    throw new StoreError("unavailable", "The order is paid, and Shopify does not show by what.");
  return { outcome: "other-payment", paidBy };
}

/** One call also writes how the shopper paid, which the shop's e-mails and pages can show. */
async function writePaymentId(
  { graphql, shop, shops }: OrderStore,
  { adminOrder }: FoundOrder,
  { paymentId, provider }: Receipt,
) {
  if (adminOrder.paymentId?.value === paymentId) return;
  const paidWith = provider === undefined ? null : providerName(provider, await shops.languageOf(shop));
  const values = { payment: paymentId, ...(paidWith === null ? {} : { paid_with: paidWith }) };
  const metafield = { ownerId: adminOrder.id, namespace: PAYMENT_NAMESPACE, type: "single_line_text_field" };
  const metafields = Object.entries(values).map(([key, value]) => ({ ...metafield, key, value }));
  const { userErrors } = await graphql.call(shop, setOrderMetafields, { metafields });
  if (userErrors.length === 0) return;
  throw new StoreError("unavailable", `Shopify did not store the payment's id (${describeUserErrors(userErrors)}).`);
}
