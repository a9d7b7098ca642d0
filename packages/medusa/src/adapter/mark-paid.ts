import { codeOf, type Receipt, type StoreAnswer, StoreError, sameMoney } from "@tillkit/core";
import { createWriteBound, type WriteBound } from "@tillkit/runtime";
import { type MedusaContainer, paymentModuleOf, workflowEngineOf } from "../store/medusa-container.ts";
import { isCanceledInMedusa, readDisplayId } from "../store/order.ts";
import { ACCEPTED_PAYMENT_KEY, findSession, paidByOf } from "../store/paid-by.ts";
import { type PaymentCollection, readCollection, totalOf } from "../store/payment-collection.ts";
import { isSoldOut } from "../store/stock.ts";
import type { MedusaAdapterOptions } from "./adapter-options.ts";
import { notifyOwner } from "./admin-notifications.ts";
import { attachAgain, isChosenAgain } from "./chosen-again.ts";
import { noticeTexts } from "./notice-texts.ts";
import { runInTime } from "./write-in-time.ts";

/** The workflow Medusa runs for its own webhooks: it authorizes the session, captures and completes the cart. */
const PROCESS_PAYMENT = "process-payment-workflow";

/**
 * Lets Medusa complete the cart. Medusa locks the cart and asks our provider, which reads the payment from the service.
 * The answer rests on what Medusa shows afterwards, not on the workflow's result.
 */
export async function markPaid(
  options: MedusaAdapterOptions,
  receipt: Receipt,
  bound: WriteBound = createWriteBound(options.clock),
): Promise<StoreAnswer> {
  const { container, storeId } = options;
  const { ref, attempt, paymentId } = receipt;
  const before = ref.storeId === storeId ? await readCollection(container, ref.orderId) : null;
  if (!before) return COLLECTION_GONE;
  if (receipt.alreadyPaid && isPaidManually(before))
    return await recordAcceptedPayment(container, before, paymentId, bound);
  const shown = answerFromPaidBy(before, paymentId, "already");
  if (shown?.outcome === "already" && receipt.unanswered) await tellUnanswered(options, before, paymentId);
  if (shown) return shown;
  if (await isToBeAttached(options, before, receipt)) {
    const attached = await attachAgain(options, before, receipt, bound);
    return await markPaid(options, { ...receipt, attempt: attached }, bound);
  }
  const refusal = await refusalFor(container, before, receipt);
  if (refusal) return refusal;
  const amount = findSession(before, attempt)?.amount;
  const platformCode = await runInTime(bound, () => processPayment(container, attempt, amount));
  const after = await readCollection(container, ref.orderId);
  if (!after) return COLLECTION_GONE;
  const answer = answerFromPaidBy(after, paymentId, "recorded") ?? (await refusalFor(container, after, receipt));
  if (answer) return answer;
  throw new StoreError("unavailable", `Medusa did not complete the cart (${platformCode ?? "no order was created"}).`, {
    platformCode,
  });
}

async function isToBeAttached(
  options: MedusaAdapterOptions,
  collection: PaymentCollection,
  { attempt, alreadyPaid }: Receipt,
): Promise<boolean> {
  if (alreadyPaid || findSession(collection, attempt)) return false;
  if (await isCanceledInMedusa(options.container, collection)) return false;
  return await isChosenAgain(options, collection, attempt);
}

/**
 * Medusa reports an order to its subscribers, which send the e-mails, after it has saved the order. A process that died in between reported
 * nothing, and a second report would send what was sent already: its owner is told.
 */
async function tellUnanswered(
  { container, language, log }: MedusaAdapterOptions,
  { orderId }: PaymentCollection,
  paymentId: string,
): Promise<void> {
  const order = orderId === null ? null : await readDisplayId(container, orderId);
  const { paymentNoteTitle: title, unanswered } = noticeTexts(language);
  await notifyOwner(container, log, { key: `unanswered:${paymentId}`, title, text: unanswered(order) });
}

async function refusalFor(
  container: MedusaContainer,
  collection: PaymentCollection,
  { attempt, total, alreadyPaid }: Receipt,
): Promise<StoreAnswer | null> {
  if (await isCanceledInMedusa(container, collection)) return notPayable("cancelled");
  // The owner's "Mark as paid" existed when this payment was verified and was undone since: verify the payment again.
  if (alreadyPaid) throw new StoreError("unavailable", "The order is no longer marked as paid.");
  // Medusa also deletes the session when it gives up a cart whose item sold out during the payment.
  if (!findSession(collection, attempt))
    return notPayable((await isSoldOut(container, collection.cartId)) ? "sold_out" : "order_changed");
  if (!sameMoney(totalOf(collection), total)) return notPayable("total_changed");
  return null;
}

function isPaidManually(collection: PaymentCollection): boolean {
  const paidBy = paidByOf(collection);
  return paidBy === "owner" || paidBy === "unclear";
}

/** Writes our payment's id into the metadata and captures nothing: Medusa already holds the amount under its own provider. */
async function recordAcceptedPayment(
  container: MedusaContainer,
  collection: PaymentCollection,
  paymentId: string,
  bound: WriteBound,
): Promise<StoreAnswer> {
  if (await isCanceledInMedusa(container, collection)) return notPayable("cancelled");
  bound.assertInTime();
  const metadata = { ...collection.metadata, [ACCEPTED_PAYMENT_KEY]: paymentId };
  const update = { currency_code: collection.currencyCode, metadata };
  try {
    await paymentModuleOf(container).updatePaymentCollections(collection.id, update);
  } catch (cause) {
    throw new StoreError("unknown", "Medusa did not save the payment's id.", { cause });
  }
  const after = await readCollection(container, collection.id);
  const answer = after && answerFromPaidBy(after, paymentId, "recorded");
  if (answer) return answer;
  throw new StoreError("unknown", "Medusa saved the payment's id and does not show it yet.");
}

function answerFromPaidBy(
  collection: PaymentCollection,
  paymentId: string,
  outcome: "recorded" | "already",
): StoreAnswer | null {
  const paidBy = paidByOf(collection);
  if (paidBy === null) return null;
  if (paidBy === paymentId) return { outcome, evidence: "read-back" };
  // The manual payment may be this payment's record, so this payment is no duplicate: the engine verifies again and holds it.
  if (paidBy === "unclear") throw new StoreError("unavailable", "Medusa does not show which payment paid the order.");
  return { outcome: "other-payment", paidBy };
}

// Medusa's error messages may contain a database row, so only the code is repeated.
async function processPayment(container: MedusaContainer, sessionId: string, amount: unknown): Promise<string | null> {
  try {
    const input = { action: "captured", data: { session_id: sessionId, amount } };
    await workflowEngineOf(container).run(PROCESS_PAYMENT, { input });
    return null;
  } catch (error) {
    return error instanceof Error && "type" in error ? String(error.type) : codeOf(error);
  }
}

const COLLECTION_GONE: StoreAnswer = { outcome: "gone" };

function notPayable(kind: "cancelled" | "sold_out" | "order_changed" | "total_changed"): StoreAnswer {
  return { outcome: "not-payable", why: { kind } };
}
