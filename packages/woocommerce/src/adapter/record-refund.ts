import {
  decimalText,
  formatMoney,
  type Language,
  type StoreAdapter,
  type StoreAnswer,
  StoreError,
} from "@tillkit/core";
import { z } from "zod";
import { wooLimits } from "../limits.ts";
import { META } from "../protocol/names.ts";
import { paidByOf } from "../store/paid-by.ts";
import { languageOf } from "../store/woo-order.ts";
import { isGone, type WooStore } from "../store/woo-store.ts";
import { expectSuccess, type WooReply } from "../transport/woo-rest.ts";
import { type NoteMessages, noteMessages } from "./note-messages.ts";
import { addNoteOnce } from "./order-notes.ts";
import { readWithoutStaleHold } from "./stale-hold.ts";
import { orderGone } from "./store-answers.ts";

export type RefundToRecord = Parameters<NonNullable<StoreAdapter["recordRefund"]>>[0];

const refundListSchema = z.array(
  z.object({ meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).default([]) }),
);

/**
 * Records a refund that was not requested in the shop, or the failure of a refund that the shop had recorded. Only a refund of
 * the payment that the order shows changes the order; a refund of a duplicate payment leaves it paid.
 */
export async function recordRefund(store: WooStore, refund: RefundToRecord): Promise<StoreAnswer> {
  const order = await readWithoutStaleHold(store, refund.ref);
  if (!order) return orderGone(refund.ref.orderId);
  const language = languageOf(order, store.language);
  if (refund.status === "failed") return await recordFailure(store, refund, language);
  const paidBy = paidByOf(order);
  const isShownPayment = paidBy === refund.paymentId;
  // A full refund makes WooCommerce set the status, which would restore the order from the trash.
  if (isShownPayment && order.status !== "trash") return await postRefund(store, refund, language);
  const describe = (messages: NoteMessages, amount: string) => {
    if (isShownPayment) return messages.refundOfTrashedOrder(amount);
    if (paidBy !== null) return messages.secondPaymentRefunded(amount);
    return order.status === "on-hold" ? messages.heldPaymentRefunded(amount) : messages.unpaidOrderRefunded(amount);
  };
  await addRefundNote(store, refund, describe, language);
  return { outcome: "recorded", evidence: "acknowledged" };
}

async function postRefund(store: WooStore, refund: RefundToRecord, language: Language): Promise<StoreAnswer> {
  const path = `orders/${refund.ref.orderId}/refunds`;
  if (await isRecorded(store, path, refund)) return { outcome: "already", evidence: "read-back" };
  const reply = await store.rest.post(path, {
    amount: decimalText(refund.amount),
    reason: noteMessages(language).refundReason,
    // The money is already refunded: the gateway must not be asked to refund it again.
    api_refund: false,
    meta_data: [{ key: META.refund, value: refundReference(refund) }],
  });
  if (reply.status < 300) return { outcome: "recorded", evidence: "acknowledged" };
  if (isGone(reply)) return orderGone(refund.ref.orderId);
  return await handleRefusal(store, refund, reply, language);
}

/**
 * WooCommerce rejects a refund with a 500 (`woocommerce_rest_cannot_create_order_refund`), for instance when the owner has
 * entered it by hand. A retry would be rejected too, so the owner gets a note.
 */
async function handleRefusal(
  store: WooStore,
  refund: RefundToRecord,
  reply: WooReply,
  language: Language,
): Promise<StoreAnswer> {
  if (!REFUSAL_CODES.includes(reply.code ?? "")) expectSuccess(reply, "write");
  if (await isRecorded(store, `orders/${refund.ref.orderId}/refunds`, refund)) {
    return { outcome: "already", evidence: "read-back" };
  }
  await addRefundNote(store, refund, (messages, amount) => messages.refundNotRecorded(amount), language);
  await setAttention(store, refund, "refund_not_recorded");
  return { outcome: "not-payable", detail: `WooCommerce refused to record the refund (${reply.code}).` };
}

const REFUSAL_CODES: readonly string[] = [
  "woocommerce_rest_cannot_create_order_refund",
  "woocommerce_rest_invalid_order_refund",
];

async function recordFailure(store: WooStore, refund: RefundToRecord, language: Language): Promise<StoreAnswer> {
  await addRefundNote(store, refund, (messages, amount) => messages.refundFailed(amount), language);
  await setAttention(store, refund, "refund_failed");
  return { outcome: "recorded", evidence: "acknowledged" };
}

async function isRecorded(store: WooStore, path: string, refund: RefundToRecord): Promise<boolean> {
  const reply = await store.rest.get(path, { per_page: wooLimits.listedRefunds });
  const parsed = refundListSchema.safeParse(expectSuccess(reply, "read"));
  if (!parsed.success) throw new StoreError("unavailable", "The shop's answer is not a list of refunds.");
  return parsed.data.some(({ meta_data: meta }) =>
    meta.some(({ key, value }) => key === META.refund && value === refundReference(refund)),
  );
}

/** The refund's id at the service; its key while the service has not returned an id. */
function refundReference({ refundId, key }: RefundToRecord): string {
  return refundId === "" ? key : refundId;
}

async function addRefundNote(
  store: WooStore,
  refund: RefundToRecord,
  message: (messages: NoteMessages, amount: string) => string,
  language: Language,
): Promise<void> {
  const text = `${message(noteMessages(language), formatMoney(refund.amount, language))} ${refund.refundId}`.trim();
  const key = `refund:${refund.status}:${refund.key}`;
  await addNoteOnce(store, refund.ref.orderId, { kind: "note", key, text });
}

/** The plugin shows the order in its list of orders that need the owner's attention. */
async function setAttention(store: WooStore, { ref }: RefundToRecord, value: string): Promise<void> {
  await store.changeOrder(ref.orderId, { meta_data: [{ key: META.attention, value }] });
}
