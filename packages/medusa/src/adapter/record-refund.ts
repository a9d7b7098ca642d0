import { codeOf, decimalText, formatMoney, type StoreAdapter, type StoreAnswer, systemClock } from "@tillkit/core";
import { createWriteBound, type WriteBound } from "@tillkit/runtime";
import { z } from "zod";
import { noteForAttention } from "../refunds/attention-list.ts";
import { replaceFailedRefund } from "../refunds/failed-refunds.ts";
import { queryOf, workflowEngineOf } from "../store/medusa-container.ts";
import { readDisplayId } from "../store/order.ts";
import { findMedusaPayment, manualPaymentFor, paidByOf } from "../store/paid-by.ts";
import { type PaymentCollection, readCollection } from "../store/payment-collection.ts";
import { readRows } from "../store/read-rows.ts";
import type { MedusaAdapterOptions } from "./adapter-options.ts";
import { notifyOwner } from "./admin-notifications.ts";
import { noticeTexts } from "./notice-texts.ts";
import { runRecordOnly } from "./record-only-refund.ts";
import { runInTime } from "./write-in-time.ts";

type RecordedRefund = Parameters<NonNullable<StoreAdapter["recordRefund"]>>[0];

const REFUND_PAYMENT = "refund-payment-workflow";

const paymentRowSchema = z.object({ refunds: z.array(z.object({ note: z.string().nullish() })).nullish() });

/**
 * Records a refund that Medusa did not request: one made in the service's dashboard, or an automatic refund. A refund of
 * the payment that the order shows becomes a refund of the order; any other refund only notifies the owner. A refund that failed
 * after Medusa had shown it is noted for the admin page. A later refund of the same amount from the service's dashboard replaces it.
 */
export async function recordRefund(options: MedusaAdapterOptions, refund: RecordedRefund): Promise<StoreAnswer> {
  const bound = createWriteBound(options.clock);
  const collection =
    refund.ref.storeId === options.storeId ? await readCollection(options.container, refund.ref.orderId) : null;
  const { paymentId } = refund;
  if (refund.status === "failed") return await recordFailure(options, refund, collection);
  const payment = collection && (findMedusaPayment(collection, paymentId) ?? manualPaymentFor(collection, paymentId));
  if (!payment || paidByOf(collection) !== paymentId) {
    return await notifyAboutRefund(options, refund, "refundedWithoutOrder");
  }
  return await recordInMedusa(options, refund, { medusaPaymentId: payment.id, bound });
}

async function recordFailure(
  options: MedusaAdapterOptions,
  refund: RecordedRefund,
  collection: PaymentCollection | null,
): Promise<StoreAnswer> {
  const { ledger, storeId, container } = options;
  if (ledger) await noteForAttention({ ledger, options: { storeId } }, refund.paymentId);
  const orderId = collection?.orderId ?? null;
  const displayId = orderId === null ? null : await readDisplayId(container, orderId);
  return await notifyAboutRefund(options, refund, "refundFailed", displayId);
}

/** Whether there was a failed refund of the same amount, which this refund replaces. Then Medusa shows the amount already. */
async function tryToReplaceFailedRefund(
  { ledger, container, storeId }: MedusaAdapterOptions,
  { paymentId, refundId }: RecordedRefund,
): Promise<boolean> {
  if (!ledger || refundId === "") return false;
  const context = { ledger, container, options: { storeId }, engine: { clock: systemClock } };
  return await replaceFailedRefund(context, paymentId, refundId);
}

type MedusaWrite = {
  readonly medusaPaymentId: string;
  readonly bound: WriteBound;
};

async function recordInMedusa(
  options: MedusaAdapterOptions,
  refund: RecordedRefund,
  { medusaPaymentId, bound }: MedusaWrite,
): Promise<StoreAnswer> {
  const note = noticeTexts(options.language).refundNote(refund.refundId || refund.key);
  if (await isRecorded(options, medusaPaymentId, refund)) return { outcome: "already", evidence: "read-back" };
  if (await tryToReplaceFailedRefund(options, refund)) return { outcome: "already", evidence: "read-back" };
  const input = { payment_id: medusaPaymentId, amount: Number(decimalText(refund.amount)), note };
  const run = () => workflowEngineOf(options.container).run(REFUND_PAYMENT, { input });
  try {
    await runInTime(bound, () => runRecordOnly(refund.paymentId, run));
  } catch (error) {
    options.log.warn("refund.not_recorded", { paymentId: refund.paymentId, code: codeOf(error) });
  }
  if (await isRecorded(options, medusaPaymentId, refund)) return { outcome: "recorded", evidence: "read-back" };
  bound.assertInTime();
  await notifyAboutRefund(options, refund, "refundNotRecorded");
  return { outcome: "not-payable", why: { kind: "refused_by_platform", code: null } };
}

// Compares the refund's id inside the note: the note's other words depend on the store's language, which may change. It was recorded under its
// key if the service named it only later, as after a person said that it was made.
async function isRecorded(
  { container }: MedusaAdapterOptions,
  medusaPaymentId: string,
  { refundId, key }: RecordedRefund,
): Promise<boolean> {
  const fields = ["id", "refunds.id", "refunds.note"];
  const [row] = await readRows(queryOf(container), "payment", fields, { id: medusaPaymentId });
  const parsed = paymentRowSchema.safeParse(row);
  const names = (note: string, id: string) => id !== "" && note.includes(`(${id})`);
  const notes = parsed.success ? (parsed.data.refunds ?? []).map(({ note }) => note ?? "") : [];
  return notes.some((note) => names(note, refundId) || names(note, key));
}

async function notifyAboutRefund(
  { container, language, log }: MedusaAdapterOptions,
  { key, status, amount }: RecordedRefund,
  event: "refundFailed" | "refundNotRecorded" | "refundedWithoutOrder",
  displayId: string | null = null,
): Promise<StoreAnswer> {
  const texts = noticeTexts(language);
  const title = event === "refundedWithoutOrder" ? texts.paymentNoteTitle : texts.heldPaymentTitle;
  const text = texts[event](formatMoney(amount, language), displayId);
  await notifyOwner(container, log, { key: `refund:${status}:${key}`, title, text });
  return { outcome: "recorded", evidence: "acknowledged" };
}
