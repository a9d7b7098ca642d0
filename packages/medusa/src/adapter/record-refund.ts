import { codeOf, decimalText, formatMoney, type RefundToRecord, type StoreAnswer } from "@tillkit/core";
import { replaceFailedRefund, type ShownRefund } from "@tillkit/core/store-refunds";
import { createWriteBound, type WriteBound } from "@tillkit/runtime";
import { noteForAttention } from "../refunds/attention-list.ts";
import { shownRefundsOf } from "../refunds/shown-refunds.ts";
import { workflowEngineOf } from "../store/medusa-container.ts";
import { isCanceledInMedusa, readDisplayId } from "../store/order.ts";
import { findMedusaPayment, manualPaymentFor, paidByOf } from "../store/paid-by.ts";
import { type PaymentCollection, readCollection } from "../store/payment-collection.ts";
import type { MedusaAdapterOptions } from "./adapter-options.ts";
import { notifyOwner } from "./admin-notifications.ts";
import { noticeTexts } from "./notice-texts.ts";
import { runRecordOnly } from "./record-only-refund.ts";
import { runInTime } from "./write-in-time.ts";

const REFUND_PAYMENT = "refund-payment-workflow";

/**
 * Records a refund that Medusa did not request: one made in the service's dashboard, or an automatic refund. A refund of
 * the payment that the order shows becomes a refund of the order; any other refund only notifies the owner. A refund that failed
 * after Medusa had shown it is noted for the admin page. A later refund of the same amount from the service's dashboard replaces it.
 */
export async function recordRefund(options: MedusaAdapterOptions, refund: RefundToRecord): Promise<StoreAnswer> {
  const bound = createWriteBound(options.clock);
  const collection =
    refund.ref.storeId === options.storeId ? await readCollection(options.container, refund.ref.orderId) : null;
  const { paymentId } = refund;
  if (refund.status === "failed") return await recordFailure(options, refund, collection);
  const payment = collection && (findMedusaPayment(collection, paymentId) ?? manualPaymentFor(collection, paymentId));
  if (!payment || paidByOf(collection) !== paymentId) return await recordWithoutOrder(options, refund, collection);
  return await recordInMedusa(options, refund, payment.id, bound);
}

// The payment was refunded because it cannot be placed. Two completions of one cart may have left its order behind all the same.
async function recordWithoutOrder(
  options: MedusaAdapterOptions,
  refund: RefundToRecord,
  collection: PaymentCollection | null,
): Promise<StoreAnswer> {
  const { ledger, storeId, container } = options;
  const isPlaced =
    collection !== null &&
    collection.orderId !== null &&
    paidByOf(collection) === null &&
    !(await isCanceledInMedusa(container, collection));
  if (!isPlaced) return await notifyAboutRefund(options, refund, "refundedWithoutOrder");
  if (ledger) await noteForAttention({ ledger, options: { storeId } }, refund.paymentId, { isUnplaced: true });
  const displayId = await readDisplayId(container, collection.orderId);
  return await notifyAboutRefund(options, refund, "placedUnpaid", displayId);
}

async function recordFailure(
  options: MedusaAdapterOptions,
  refund: RefundToRecord,
  collection: PaymentCollection | null,
): Promise<StoreAnswer> {
  const { ledger, storeId, container } = options;
  if (ledger) await noteForAttention({ ledger, options: { storeId } }, refund.paymentId);
  const orderId = collection?.orderId ?? null;
  const displayId = orderId === null ? null : await readDisplayId(container, orderId);
  return await notifyAboutRefund(options, refund, "refundFailed", displayId);
}

async function recordInMedusa(
  options: MedusaAdapterOptions,
  refund: RefundToRecord,
  medusaPaymentId: string,
  bound: WriteBound,
): Promise<StoreAnswer> {
  const { ledger } = options;
  const { paymentId, refundId } = refund;
  const note = noticeTexts(options.language).refundNote(refundId || refund.key);
  const shown = await readShown(options, refund, medusaPaymentId);
  const isShown =
    isRecorded(shown, refund) ||
    // Medusa shows its amount already if it replaces a failed refund.
    (ledger && refundId !== "" && (await replaceFailedRefund(ledger, paymentId, refundId, shown)));
  if (isShown) return { outcome: "already", evidence: "read-back" };
  const input = { payment_id: medusaPaymentId, amount: Number(decimalText(refund.amount)), note };
  const run = () => workflowEngineOf(options.container).run(REFUND_PAYMENT, { input });
  try {
    await runInTime(bound, () => runRecordOnly(paymentId, run));
  } catch (error) {
    options.log.warn("refund.not_recorded", { paymentId, code: codeOf(error) });
  }
  const shownNow = await readShown(options, refund, medusaPaymentId);
  if (isRecorded(shownNow, refund)) return { outcome: "recorded", evidence: "read-back" };
  bound.assertInTime();
  await notifyAboutRefund(options, refund, "refundNotRecorded");
  return { outcome: "not-payable", why: { kind: "refused_by_platform", code: null } };
}

async function readShown(
  { container }: MedusaAdapterOptions,
  { ref }: RefundToRecord,
  medusaPaymentId: string,
): Promise<readonly ShownRefund[]> {
  const collection = await readCollection(container, ref.orderId);
  const payment = collection?.payments.find(({ id }) => id === medusaPaymentId);
  return collection && payment ? shownRefundsOf(payment, collection.currencyCode) : [];
}

// It was recorded under its key if the service named it only later, as after a person said that it was made.
function isRecorded(shown: readonly ShownRefund[], { refundId, key }: RefundToRecord): boolean {
  return shown.some(({ names }) => names.includes(key) || names.includes(refundId));
}

async function notifyAboutRefund(
  { container, language, log }: MedusaAdapterOptions,
  { key, status, amount }: RefundToRecord,
  event: "refundFailed" | "refundNotRecorded" | "refundedWithoutOrder" | "placedUnpaid",
  displayId: string | null = null,
): Promise<StoreAnswer> {
  const texts = noticeTexts(language);
  const title = event === "refundedWithoutOrder" ? texts.paymentNoteTitle : texts.heldPaymentTitle;
  const text = texts[event](formatMoney(amount, language), displayId);
  await notifyOwner(container, log, { key: `refund:${status}:${key}`, title, text });
  return { outcome: "recorded", evidence: "acknowledged" };
}
