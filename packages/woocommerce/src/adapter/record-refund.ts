import { decimalText, type RefundToRecord, type StoreAnswer, StoreError } from "@tillkit/core";
import {
  type NoteMessages,
  noteMessages,
  ORDER_GONE,
  otherRefund,
  recordRefundByPlugin,
  refundNote,
  refundReference,
} from "@tillkit/php-bridge";
import { z } from "zod";
import { wooLimits } from "../limits.ts";
import { META } from "../protocol/names.ts";
import { wooWords } from "../protocol/platform.ts";
import { paidByOf } from "../store/paid-by.ts";
import { languageOf, type WooOrder } from "../store/woo-order.ts";
import { isGone, type WooStore } from "../store/woo-store.ts";
import { expectSuccess, type WooReply } from "../transport/woo-rest.ts";
import { addNoteOnce } from "./order-notes.ts";
import { setAttention } from "./set-attention.ts";
import { readWithoutStaleHold } from "./stale-hold.ts";
import { byPluginOrRest, readOrderOf } from "./write-by-plugin.ts";

const refundListSchema = z.array(
  z.object({ meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).default([]) }),
);

/**
 * Records a refund that was not requested in the shop, or the failure of a refund that the shop had recorded. Only a refund of
 * the payment that the order shows changes the order; a refund of a duplicate payment leaves it paid.
 */
export async function recordRefund(store: WooStore, refund: RefundToRecord): Promise<StoreAnswer> {
  const order = await readWithoutStaleHold(store, refund.ref);
  if (!order) return ORDER_GONE;
  if (refund.status === "failed") return await recordFailure(store, order, refund);
  const paidBy = paidByOf(order);
  const isShownPayment = paidBy === refund.paymentId;
  // A full refund makes WooCommerce set the status, which would restore the order from the trash.
  if (isShownPayment && order.status !== "trash") {
    const answer = await writeRefund(store, order, refund);
    if (answer.outcome === "recorded" || answer.outcome === "already")
      await addRefundNote(store, order, refund, (messages, amount) => messages.refundRecorded(amount));
    return answer;
  }
  const describe = (messages: NoteMessages, amount: string) => {
    if (isShownPayment) return messages.refundOfTrashedOrder(amount);
    return otherRefund(messages, { paidBy, isHeld: order.status === "on-hold" })(amount);
  };
  await addRefundNote(store, order, refund, describe);
  return { outcome: "recorded", evidence: "acknowledged" };
}

async function writeRefund(store: WooStore, order: WooOrder, refund: RefundToRecord): Promise<StoreAnswer> {
  const { refundReason } = noteMessages(languageOf(order, store.language), wooWords);
  if (store.writeOrdersBy === "rest") return await postRefund(store, order, refund, refundReason);
  const request = { ...refund, reason: refundReason };
  // Over the REST API a late request would record the refund twice.
  const answer = await byPluginOrRest(store, recordRefundByPlugin(store.plugin, readOrderOf(order), request));
  // Null: the plugin was not reached, so the REST API can record the refund.
  if (answer === null) return await postRefund(store, order, refund, refundReason);
  return answer === "refused" ? await answerRefusal(store, order, refund, null) : answer;
}

/** The REST API knows no key of a refund, so the refunds are read before one is written. */
async function postRefund(
  store: WooStore,
  order: WooOrder,
  refund: RefundToRecord,
  reason: string,
): Promise<StoreAnswer> {
  const path = `orders/${refund.ref.orderId}/refunds`;
  if (await isRecorded(store, path, refund)) return { outcome: "already", evidence: "read-back" };
  const reply = await store.rest.post(path, {
    amount: decimalText(refund.amount),
    reason,
    // The money is already refunded: the gateway must not be asked to refund it again.
    api_refund: false,
    meta_data: [{ key: META.refund, value: refundReference(refund) }],
  });
  if (reply.status < 300) return { outcome: "recorded", evidence: "acknowledged" };
  if (isGone(reply)) return ORDER_GONE;
  return await handleRefusal(store, order, refund, reply);
}

/**
 * WooCommerce rejects a refund with a 500 (`woocommerce_rest_cannot_create_order_refund`), for instance when the owner has
 * entered it by hand. A retry would be rejected too, so the owner gets a note.
 */
async function handleRefusal(
  store: WooStore,
  order: WooOrder,
  refund: RefundToRecord,
  reply: WooReply,
): Promise<StoreAnswer> {
  if (!REFUSAL_CODES.includes(reply.code ?? "")) expectSuccess(reply, "write");
  if (await isRecorded(store, `orders/${refund.ref.orderId}/refunds`, refund)) {
    return { outcome: "already", evidence: "read-back" };
  }
  return await answerRefusal(store, order, refund, reply.code);
}

async function answerRefusal(
  store: WooStore,
  order: WooOrder,
  refund: RefundToRecord,
  code: string | null,
): Promise<StoreAnswer> {
  await addRefundNote(store, order, refund, (messages, amount) => messages.refundNotRecorded(amount));
  await setAttention(store, refund.ref.orderId, "refund_not_recorded");
  return { outcome: "not-payable", why: { kind: "refused_by_platform", code } };
}

const REFUSAL_CODES: readonly string[] = [
  "woocommerce_rest_cannot_create_order_refund",
  "woocommerce_rest_invalid_order_refund",
];

async function recordFailure(store: WooStore, order: WooOrder, refund: RefundToRecord): Promise<StoreAnswer> {
  await addRefundNote(store, order, refund, (messages, amount) => messages.refundFailed(amount));
  await setAttention(store, refund.ref.orderId, "refund_failed");
  return { outcome: "recorded", evidence: "acknowledged" };
}

async function isRecorded(store: WooStore, path: string, refund: RefundToRecord): Promise<boolean> {
  const reply = await store.rest.get(path, { per_page: wooLimits.listedRefunds });
  const parsed = refundListSchema.safeParse(expectSuccess(reply, "read"));
  if (!parsed.success) throw new StoreError("unavailable", "The shop's answer is not a list of refunds.");
  // It was recorded under its key if the service named it only later, as after a person said that it was made.
  const references: readonly unknown[] = [refundReference(refund), refund.key];
  return parsed.data.some(({ meta_data: meta }) =>
    meta.some(({ key, value }) => key === META.refund && references.includes(value)),
  );
}

async function addRefundNote(
  store: WooStore,
  order: WooOrder,
  refund: RefundToRecord,
  message: (messages: NoteMessages, amount: string) => string,
): Promise<void> {
  const language = languageOf(order, store.language);
  const messages = noteMessages(language, wooWords);
  await addNoteOnce(
    store,
    order,
    refundNote(refund, (amount) => message(messages, amount), language),
  );
}
