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
import { expectSuccess, type WooReply } from "../transport/woo-rest.ts";
import { gone } from "./answers.ts";
import { readDecided } from "./late-hold.ts";
import { addNoteOnce } from "./notes.ts";
import { paidByOf } from "./paid-by.ts";
import { languageOf } from "./woo-order.ts";
import { isGone, type WooShop } from "./woo-shop.ts";
import { type WooWords, wordsOf } from "./words.ts";

export type ToldRefund = Parameters<NonNullable<StoreAdapter["recordRefund"]>>[0];

const listSchema = z.array(
  z.object({ meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).default([]) }),
);

/**
 * A refund that the shop did not ask for itself, or one that failed after the shop had recorded it. Only a refund of the
 * payment that the order shows is the order's own: money of a second payment that goes back leaves the order paid.
 */
export async function recordRefund(shop: WooShop, refund: ToldRefund): Promise<StoreAnswer> {
  const order = await readDecided(shop, refund.ref);
  if (!order) return gone(refund.ref.orderId);
  const language = languageOf(order, shop.language);
  if (refund.status === "failed") return await tellFailure(shop, refund, language);
  const isShown = paidByOf(order) === refund.paymentId;
  // The last part of a refund makes WooCommerce set the status, which would take the order out of the trash.
  if (isShown && order.status !== "trash") return await postRefund(shop, refund, language);
  await note(
    shop,
    refund,
    (words, amount) => (isShown ? words.refundOfBinned : words.otherMoneyBack)(amount),
    language,
  );
  return { outcome: "recorded", evidence: "acknowledged" };
}

async function postRefund(shop: WooShop, refund: ToldRefund, language: Language): Promise<StoreAnswer> {
  const path = `orders/${refund.ref.orderId}/refunds`;
  if (await isListed(shop, path, refund)) return { outcome: "already", evidence: "read-back" };
  const reply = await shop.rest.post(path, {
    amount: decimalText(refund.amount),
    reason: wordsOf(language).refundReason,
    // The money is back already: the gateway must not be asked to send it again.
    api_refund: false,
    meta_data: [{ key: META.refund, value: nameOf(refund) }],
  });
  if (reply.status < 300) return { outcome: "recorded", evidence: "acknowledged" };
  if (isGone(reply)) return gone(refund.ref.orderId);
  return await afterRefusal(shop, refund, reply, language);
}

/**
 * WooCommerce refuses a refund with a 500 (`woocommerce_rest_cannot_create_order_refund`), for instance when the owner had
 * entered it by hand already. Asking again would be refused again, so the owner is told.
 */
async function afterRefusal(
  shop: WooShop,
  refund: ToldRefund,
  reply: WooReply,
  language: Language,
): Promise<StoreAnswer> {
  if (!REFUSALS.includes(reply.code ?? "")) expectSuccess(reply, "write");
  if (await isListed(shop, `orders/${refund.ref.orderId}/refunds`, refund)) {
    return { outcome: "already", evidence: "read-back" };
  }
  await note(shop, refund, (words, amount) => words.refundNotRecorded(amount), language);
  await flag(shop, refund, "refund_not_recorded");
  return { outcome: "not-payable", detail: `WooCommerce refused to record the refund (${reply.code}).` };
}

const REFUSALS: readonly string[] = [
  "woocommerce_rest_cannot_create_order_refund",
  "woocommerce_rest_invalid_order_refund",
];

async function tellFailure(shop: WooShop, refund: ToldRefund, language: Language): Promise<StoreAnswer> {
  await note(shop, refund, (words, amount) => words.refundFailed(amount), language);
  await flag(shop, refund, "refund_failed");
  return { outcome: "recorded", evidence: "acknowledged" };
}

async function isListed(shop: WooShop, path: string, refund: ToldRefund): Promise<boolean> {
  const reply = await shop.rest.get(path, { per_page: wooLimits.listedRefunds });
  const read = listSchema.safeParse(expectSuccess(reply, "read"));
  if (!read.success) throw new StoreError("unavailable", "The shop's answer is no list of refunds.");
  return read.data.some(({ meta_data: meta }) =>
    meta.some(({ key, value }) => key === META.refund && value === nameOf(refund)),
  );
}

function nameOf({ refundId, key }: ToldRefund): string {
  return refundId === "" ? key : refundId;
}

async function note(
  shop: WooShop,
  refund: ToldRefund,
  say: (words: WooWords, amount: string) => string,
  language: Language,
): Promise<void> {
  const text = `${say(wordsOf(language), formatMoney(refund.amount, language))} ${refund.refundId}`.trim();
  const key = `refund:${refund.status}:${refund.key}`;
  await addNoteOnce(shop, refund.ref.orderId, { kind: "note", key, text });
}

async function flag(shop: WooShop, { ref }: ToldRefund, value: string): Promise<void> {
  await shop.changeOrder(ref.orderId, { meta_data: [{ key: META.attention, value }] });
}
