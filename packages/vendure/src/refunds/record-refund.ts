import { formatMoney, type RefundToRecord, type StoreAnswer } from "@tillkit/core";
import { createWriteBound } from "@tillkit/runtime";
import {
  isGraphQlErrorResult,
  type RequestContext,
  Payment as VendurePayment,
  Refund as VendureRefund,
} from "@vendure/core";
import { fromMoney } from "../order/amounts.ts";
import { lockRow } from "../order/lock-row.ts";
import { addOrderNote } from "../order/order-notes.ts";
import { findVendurePayment, paidByOf } from "../order/paid-by.ts";
import { readOrder } from "../order/read-order.ts";
import { writeInTime } from "../order/write-in-time.ts";
import { pluginTexts, type RefundNoteReason } from "../texts.ts";
import type { VendureAdapterOptions } from "../vendure-adapter.ts";
import { withRecordedRefund } from "./recorded-refund.ts";
import { refundMetadata, refundNames } from "./shown-refunds.ts";

const readBack = { evidence: "read-back" } as const;

/**
 * Records a refund that Vendure does not show: a refund from the service's dashboard, an automatic refund, or a refund whose request
 * Vendure rolled back. A completed refund of the payment that the order shows becomes a refund of the order. Every other refund becomes a
 * note.
 */
export async function recordRefund(options: VendureAdapterOptions, refund: RefundToRecord): Promise<StoreAnswer> {
  const bound = createWriteBound(options.clock);
  const { services, shop } = options;
  const { ref, paymentId, status } = refund;
  const order =
    ref.storeId === shop.channel ? await readOrder(services, await options.context(), shop, ref.orderId) : null;
  if (!order) return { outcome: "gone" };
  if (status === "failed") return await recordAsNote(options, refund, "failed");
  const payment = findVendurePayment(order, paymentId);
  if (!payment || paidByOf(order) !== paymentId) return await recordAsNote(options, refund, "paymentNotShown");
  const record = (transaction: RequestContext) => recordOnPayment(options, transaction, payment.id, refund);
  const outcome = await writeInTime(options, record, bound);
  if (outcome !== "refused") return { outcome, ...readBack };
  await recordAsNote(options, refund, "notRecorded");
  return { outcome: "not-payable", why: { kind: "refused_by_platform", code: null } };
}

async function recordOnPayment(
  { services, language }: VendureAdapterOptions,
  transaction: RequestContext,
  paymentId: string | number,
  { refundId, key, amount }: RefundToRecord,
): Promise<"recorded" | "already" | "refused"> {
  const { connection, orders, decimals } = services;
  const id = idOf({ refundId, key });
  await lockRow(connection, transaction, VendurePayment, paymentId);
  const vendureRefunds = await connection
    .getRepository(transaction, VendureRefund)
    .find({ where: { payment: { id: paymentId } } });
  // It was recorded under its key if the service named it only later, as after a person said that it was made.
  if (vendureRefunds.some((row) => refundNames(row).some((name) => name === id || name === key))) return "already";
  const request = {
    paymentId,
    amount: fromMoney(amount, decimals),
    reason: pluginTexts(language).refundReason(id),
    lines: [] as [],
    shipping: 0,
    adjustment: 0,
  };
  const recordedOnly = { refundId: id, metadata: refundMetadata(key) };
  const recorded = await withRecordedRefund(recordedOnly, () => orders.refundOrder(transaction, request));
  return isGraphQlErrorResult(recorded) ? "refused" : "recorded";
}

async function recordAsNote(
  options: VendureAdapterOptions,
  { ref, status, refundId, key, amount }: RefundToRecord,
  reason: RefundNoteReason,
): Promise<StoreAnswer> {
  const text = pluginTexts(options.language).refundNote(reason, formatMoney(amount, options.language));
  await addOrderNote(options, ref.orderId, `refund:${status}:${idOf({ refundId, key })}`, text);
  return { outcome: "recorded", ...readBack };
}

/** The service gives a refund that failed at once no id. */
function idOf({ refundId, key }: Pick<RefundToRecord, "refundId" | "key">): string {
  return refundId || key;
}
