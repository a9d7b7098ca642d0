import { codeOf, decimalText, formatMoney, type StoreAdapter, type StoreAnswer } from "@tillkit/core";
import { z } from "zod";
import { type Collection, readCollection, rows } from "../shop/collection.ts";
import { queryOf, workflowsOf } from "../shop/medusa-container.ts";
import { heldByHand, medusaPaymentOf, proofOf } from "../shop/proof.ts";
import type { MedusaShop } from "./medusa-adapter.ts";
import { tellOwner } from "./notices.ts";
import { whileWritingDown } from "./recorded-elsewhere.ts";
import { wordsOf } from "./words.ts";

type ToldRefund = Parameters<NonNullable<StoreAdapter["recordRefund"]>>[0];

const REFUND_PAYMENT = "refund-payment-workflow";

const schema = z.object({ refunds: z.array(z.object({ note: z.string().nullish() })).nullish() });

/**
 * A refund that Medusa did not ask for: made at the service's dashboard, or by rule. Only money of the payment that the order
 * shows is the order's own refund; the rest is told to the owner and changes no order.
 */
export async function recordRefund(shop: MedusaShop, refund: ToldRefund): Promise<StoreAnswer> {
  const collection =
    refund.ref.storeId === shop.storeId ? await readCollection(shop.container, refund.ref.orderId) : null;
  if (refund.status === "failed") return await tell(shop, refund, "refundFailed");
  const { paymentId } = refund;
  const payment = collection && (medusaPaymentOf(collection, paymentId) ?? heldByHand(collection, paymentId));
  if (!payment || proofOf(collection) !== paymentId) {
    return await tell(shop, refund, "otherMoneyBack");
  }
  return await writeDown(shop, refund, collection, payment.id);
}

async function writeDown(
  shop: MedusaShop,
  refund: ToldRefund,
  collection: Collection,
  medusaPaymentId: string,
): Promise<StoreAnswer> {
  const name = refund.refundId || refund.key;
  const note = wordsOf(shop.language).refundNote(name);
  if (await isWrittenDown(shop, medusaPaymentId, name)) return { outcome: "already", evidence: "read-back" };
  const input = { payment_id: medusaPaymentId, amount: Number(decimalText(refund.amount)), note };
  try {
    await whileWritingDown(refund.paymentId, () => workflowsOf(shop.container).run(REFUND_PAYMENT, { input }));
  } catch (error) {
    shop.log.warn("refund.not_recorded", { paymentId: refund.paymentId, code: codeOf(error) });
  }
  if (await isWrittenDown(shop, medusaPaymentId, name)) return { outcome: "recorded", evidence: "read-back" };
  await tell(shop, refund, "refundNotRecorded");
  return { outcome: "not-payable", detail: `Medusa did not write down the refund of ${collection.orderId}.` };
}

// By the refund's own name in the note: the words around it change with the shop's language.
async function isWrittenDown({ container }: MedusaShop, id: string, name: string): Promise<boolean> {
  const [row] = await rows(queryOf(container), "payment", ["id", "refunds.id", "refunds.note"], { id });
  const read = schema.safeParse(row);
  return read.success && (read.data.refunds ?? []).some(({ note }) => note?.includes(`(${name})`));
}

async function tell(
  { container, language, log }: MedusaShop,
  { key, status, amount }: ToldRefund,
  what: "refundFailed" | "refundNotRecorded" | "otherMoneyBack",
): Promise<StoreAnswer> {
  const words = wordsOf(language);
  const title = what === "otherMoneyBack" ? words.noteTitle : words.heldTitle;
  const text = words[what](formatMoney(amount, language));
  await tellOwner(container, log, { key: `refund:${status}:${key}`, title, text });
  return { outcome: "recorded", evidence: "acknowledged" };
}
