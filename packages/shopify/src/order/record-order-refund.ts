import { createHash } from "node:crypto";
import { decimalText, type Money, type RefundToRecord, type StoreAnswer, StoreError } from "@tillkit/core";
import { createRefund } from "../operations/refund-operations.ts";
import { describeUserErrors } from "../shopify-api/operation.ts";
import { refundText, unrecordedRefundText } from "../texts/notice-texts.ts";
import type { OrderStore } from "./order-store.ts";
import { recordableMinor, recordedSale } from "./order-transactions.ts";

const NOTE_PREFIX = "Tillkit refund ";

/** The id of a refund of the service in the note of a refund of Shopify. Null for a refund that the owner made in the shop. */
export function refundIdInNote(note: string | null | undefined): string | null {
  return note?.startsWith(NOTE_PREFIX) === true ? note.slice(NOTE_PREFIX.length).trim() : null;
}

/** Records a refund of the service in the shop once, and only where the order shows the refunded payment. */
export async function recordOrderRefund(store: OrderStore, refund: RefundToRecord): Promise<StoreAnswer> {
  const { shop, shops, graphql, notices, read } = store;
  const { ref, attempt, key, refundId, amount, paymentId, status } = refund;
  const order = await read(ref, attempt);
  if (!order) return { outcome: "gone" };
  const text = refundText(await shops.languageOf(shop), { amount, status });
  await notices.add(ref, key, { kind: "refund", text: `${text} ${refundId}`.trim() });
  const { adminOrder } = order;
  const sale = recordedSale(adminOrder, order);
  const note = `${NOTE_PREFIX}${refundId === "" ? key : refundId}`;
  // It was recorded under its key if the service named it only later, as after a person said that it was made.
  const isRecorded = adminOrder.refunds.some((one) => [refundId, key].includes(refundIdInNote(one.note) ?? ""));
  const showsPayment = adminOrder.paymentId?.value === paymentId;
  // In each of these cases the order already shows what it should.
  if (status === "failed" || isRecorded || !sale || !showsPayment) return { outcome: "already", evidence: "read-back" };
  // At every attempt Shopify would refuse to refund more than the rest.
  const recordable = { ...amount, minor: recordableMinor(adminOrder, order) };
  if (recordable.minor < amount.minor) return await tellUnrecorded(store, refund, recordable);
  const transaction = {
    orderId: adminOrder.id,
    parentId: sale.id,
    gateway: sale.gateway ?? "",
    kind: "REFUND",
    amount: decimalText(amount),
  };
  const input = { orderId: adminOrder.id, note, currency: amount.currency, transactions: [transaction] };
  const { userErrors } = await graphql.call(shop, createRefund, { input, key: uuidOf(key) });
  if (userErrors.length === 0) return { outcome: "recorded", evidence: "read-back" };
  throw new StoreError("unavailable", `Shopify did not record the refund (${describeUserErrors(userErrors)}).`);
}

// Either the owner recorded the refund by hand, or more money arrived and went back than the order ever showed: only they know.
async function tellUnrecorded(
  { shop, shops, notices }: OrderStore,
  { ref, key, amount }: RefundToRecord,
  recordable: Money,
): Promise<StoreAnswer> {
  if (recordable.minor <= 0) return { outcome: "not-payable", why: { kind: "refunded_already" } };
  const text = unrecordedRefundText(await shops.languageOf(shop), { amount, recordable });
  await notices.add(ref, `${key} unrecorded`, { kind: "refund", text });
  return { outcome: "not-payable", why: { kind: "refused_by_platform", code: null } };
}

/** Shopify's idempotency keys are UUIDs. The same key always gives the same UUID, whose `4` and `8` mark a random one (version 4). */
function uuidOf(key: string): string {
  const hex = createHash("sha256").update(key).digest("hex");
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return groups.join("-");
}
