import { createHash } from "node:crypto";
import { decimalText, type StoreAdapter, type StoreAnswer, StoreError } from "@tillkit/core";
import { createRefund } from "../graphql/admin-operations.ts";
import { firstError } from "../graphql/operation.ts";
import type { OrderShop } from "./mark-order-paid.ts";
import { bookedSale, refundableOf } from "./order-view.ts";
import { refundWords } from "./refund-words.ts";

type OrderRefund = Parameters<NonNullable<StoreAdapter["recordRefund"]>>[0];

const NOTE = "Tillkit refund ";

/** On a refund of the order that stands for one of ours. */
function refundNote(refundId: string): string {
  return `${NOTE}${refundId}`;
}

/** The service's id of the refund that a note names; null: somebody refunded in the shop. */
export function readRefundNote(note: string | null | undefined): string | null {
  return note?.startsWith(NOTE) === true ? note.slice(NOTE.length).trim() : null;
}

/** Money that went back by other means than the shop, in its books: once, and only for the payment that the order shows. */
export async function recordOrderRefund(orderShop: OrderShop, refund: OrderRefund): Promise<StoreAnswer> {
  const { shop, graphql, lines, read } = orderShop;
  const { ref, attempt, key, refundId, amount, paymentId, status } = refund;
  const order = await read(ref, attempt);
  if (!order) return { outcome: "gone", detail: `The shop has no order ${ref.orderId}.` };
  const text = refundWords(await orderShop.shops.languageOf(shop), { amount, status });
  await lines.add(ref, key, { kind: "refund", text: `${text} ${refundId}`.trim() });
  const { found } = order;
  const sale = bookedSale(found, order);
  const note = refundNote(refundId === "" ? key : refundId);
  const isKnown = found.refunds.some((one) => one.note === note);
  if (status === "failed" || isKnown || !sale || found.proof?.value !== paymentId) {
    return { outcome: "already", evidence: "read-back" };
  }
  // The owner noted it by hand already: Shopify refuses more than what is left, now and at every other try.
  if (refundableOf(found, order) < amount.minor) {
    return { outcome: "not-payable", detail: "The order shows its money as refunded already." };
  }
  const transaction = {
    orderId: found.id,
    parentId: sale.id,
    gateway: sale.gateway ?? "",
    kind: "REFUND",
    amount: decimalText(amount),
  };
  const input = { orderId: found.id, note, currency: amount.currency, transactions: [transaction] };
  const { userErrors } = await graphql.call(shop, createRefund, { input, key: uuidOf(key) });
  if (userErrors.length > 0)
    throw new StoreError("unavailable", `Shopify did not book the refund (${firstError(userErrors)}).`);
  return { outcome: "recorded", evidence: "read-back" };
}

/** Shopify wants a UUID; the same refund has the same one. */
function uuidOf(key: string): string {
  const hex = createHash("sha256").update(key).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
