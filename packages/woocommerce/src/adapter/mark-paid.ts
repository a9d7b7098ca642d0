import { type Language, providerName, type Receipt, type StoreAnswer, StoreError } from "@tillkit/core";
import { markPaidByPlugin, noteMessages, ORDER_GONE, shortfallNote, transactionReference } from "@tillkit/php-bridge";
import { GATEWAY, META } from "../protocol/names.ts";
import { wooWords } from "../protocol/platform.ts";
import { isStaleHold, ownerStatus, paidByOf } from "../store/paid-by.ts";
import { isPayable, languageOf, totalMatches, type WooOrder } from "../store/woo-order.ts";
import type { WooStore } from "../store/woo-store.ts";
import { addNote, addNoteByRest, addNoteOnce } from "./order-notes.ts";
import { setAttention } from "./set-attention.ts";
import { CLEARED_HOLD, restoreOwnerStatus } from "./stale-hold.ts";
import { notPayable } from "./store-answers.ts";
import { byPluginOrRest, readOrderOf } from "./write-by-plugin.ts";

/**
 * Marks the order paid if it did not change since it was read; the response to the write must show the payment. `recent`: the
 * order as it was read a moment ago. The plugin needs no newer reading, because it compares the order under its lock. The REST API
 * has no conditional write, so the order is read again right before a REST write.
 *
 * An accepted payment (`receipt.alreadyPaid`) arrived for an order that was set to paid, by hand or for an unknown reason, and
 * shows no payment yet.
 */
export async function markPaid(store: WooStore, receipt: Receipt, recent: WooOrder | null): Promise<StoreAnswer> {
  if (store.writeOrdersBy === "rest") return await markPaidByRest(store, receipt);
  const before = recent && awaitsThisPayment(recent, receipt) ? recent : await store.readOrder(receipt.ref);
  if (!before) return ORDER_GONE;
  // The plugin is asked also when the order shows this payment: it finishes what followed a write that died.
  const isShown = paidByOf(before) === receipt.paymentId;
  if (!isShown && !awaitsThisPayment(before, receipt)) return await answerWithoutWrite(store, before, receipt);
  const answer = await byPluginOrRest(store, markPaidByPlugin(store.plugin, readOrderOf(before), receipt, notPayable));
  // Null: the plugin changed nothing, so the REST API can write the payment.
  return answer ?? (await markPaidByRest(store, receipt));
}

/**
 * Sends `PUT /wc/v3/orders/{id}` with `set_paid`. WooCommerce applies `set_paid` to pending, failed and draft orders only, and
 * ignores it for all others with a 200. An accepted payment does not mark its order paid again: only the payment is recorded, and a
 * status is written only to undo a stale hold, which the checkout server applied after the owner had set the order to paid.
 */
async function markPaidByRest(store: WooStore, receipt: Receipt): Promise<StoreAnswer> {
  const { orderId } = receipt.ref;
  const before = await store.readOrder(receipt.ref);
  if (!before) return ORDER_GONE;
  if (!awaitsThisPayment(before, receipt)) return await answerWithoutWrite(store, before, receipt);
  if (!receipt.alreadyPaid && !SETS_PAID.has(before.status)) {
    const reopened = await reopen(store, orderId);
    if (!reopened) return ORDER_GONE;
    if (!awaitsThisPayment(reopened, receipt)) return await answerWithoutWrite(store, reopened, receipt);
  }
  const after = await store.changeOrder(orderId, {
    ...(receipt.alreadyPaid ? acceptedChange(before) : { set_paid: true }),
    payment_method: GATEWAY,
    ...titleOf(receipt, languageOf(before, store.language)),
    transaction_id: transactionReference(receipt),
    meta_data: [
      { key: META.payment, value: receipt.paymentId },
      { key: META.paymentOrder, value: orderId },
      CLEARED_HOLD,
    ],
  });
  if (!after) return ORDER_GONE;
  const paidBy = paidByOf(after);
  if (paidBy === receipt.paymentId && !isUnpaidStatus(after)) {
    addPaidNote(store, after, receipt);
    return { outcome: "recorded", evidence: "read-back" };
  }
  if (paidBy !== null && paidBy !== receipt.paymentId) return { outcome: "other-payment", paidBy };
  if (!isPayable(after)) return notPayable(after.status);
  throw new StoreError(
    "unavailable",
    `The shop accepted the payment of order ${orderId} and does not show it: another plugin interferes with payment_complete.`,
  );
}

/** The statuses for which WooCommerce honours `set_paid`. In a payable status of another plugin it may complete no payment. */
const SETS_PAID: ReadonlySet<string> = new Set(["pending", "failed", "checkout-draft"]);

/**
 * Sets an order to pending, for which WooCommerce honours `set_paid`. This is a request of its own: with both in one request, a
 * late request would mark an order paid that its owner has cancelled meanwhile. `set_paid` alone leaves a cancelled order cancelled.
 */
async function reopen(store: WooStore, orderId: string): Promise<WooOrder | null> {
  return await store.changeOrder(orderId, { status: "pending" });
}

/** How the shopper paid, in place of the method that they chose: order, e-mail and thank-you page show this title. */
function titleOf(receipt: Receipt, language: Language): { readonly payment_method_title?: string } {
  const name = paidWith(receipt, language);
  if (name === null) return {};
  return { payment_method_title: receipt.environment === "test" ? `${name} (test)` : name };
}

function paidWith({ provider }: Receipt, language: Language): string | null {
  return provider === undefined ? null : providerName(provider, language);
}

function acceptedChange(order: WooOrder): object {
  return isStaleHold(order) ? { status: ownerStatus(order) } : {};
}

/**
 * An order that was set to paid and then back to unpaid keeps its date of payment, so `paidByOf` still names its payment. The
 * status shows that the order is unpaid.
 */
function isUnpaidStatus({ status }: WooOrder): boolean {
  return status === "pending" || status === "failed";
}

/** The plugin's route adds a note, the REST API does not. The note is not awaited and its failure is ignored: the order is paid. */
function addPaidNote(store: WooStore, order: WooOrder, receipt: Receipt): void {
  const language = languageOf(order, store.language);
  const messages = noteMessages(language, wooWords);
  const message = receipt.alreadyPaid ? messages.accepted : messages.paid;
  const text = message(receipt.paymentId, transactionReference(receipt), paidWith(receipt, language));
  addNote(store, String(order.id), { kind: "paid", key: receipt.paymentId, text }).catch(() => undefined);
}

/**
 * The REST API shows a payment whose write got no answer: the shop may have died before it reduced the stock and sent its e-mails. The REST
 * API can neither see nor repeat that, so the owner is told. Where the note of an answered payment is there, nothing is told.
 */
async function tellUnfinished(store: WooStore, order: WooOrder, receipt: Receipt): Promise<void> {
  const language = languageOf(order, store.language);
  const messages = noteMessages(language, wooWords);
  const paid = messages.paid(receipt.paymentId, transactionReference(receipt), paidWith(receipt, language));
  const text = `${paid} ${messages.unanswered}`;
  const isNew = await addNoteByRest(store, String(order.id), { kind: "paid", key: receipt.paymentId, text });
  if (isNew) await setAttention(store, String(order.id), "payment_unfinished");
}

/** Tells who accepted less than the total, and how much is missing. */
export async function noteShortfall(store: WooStore, receipt: Receipt): Promise<void> {
  const { paid, total } = receipt;
  const order = paid.minor < total.minor ? await store.readOrder(receipt.ref) : null;
  if (!order) return;
  const language = languageOf(order, store.language);
  const note = shortfallNote(receipt, noteMessages(language, wooWords), language);
  if (note !== null) await addNoteOnce(store, order, note);
}

/**
 * Whether the payment can be written to the order. An accepted payment needs an order that is set to paid and shows no payment,
 * every other payment needs an unpaid order.
 */
function awaitsThisPayment(order: WooOrder, receipt: Receipt): boolean {
  const awaits = receipt.alreadyPaid ? isPaidWithoutPayment(order) : paidByOf(order) === null && isPayable(order);
  return awaits && totalMatches(order, receipt);
}

/** Whether the order is set to paid, by hand or for an unknown reason, and shows no payment. */
function isPaidWithoutPayment(order: WooOrder): boolean {
  const paidBy = paidByOf(order);
  return paidBy === "owner" || paidBy === "unclear";
}

/** The answer for an order to which the payment cannot be written. */
async function answerWithoutWrite(store: WooStore, order: WooOrder, receipt: Receipt): Promise<StoreAnswer> {
  const paidBy = paidByOf(order);
  const isAccepted = receipt.alreadyPaid === true && isPaidWithoutPayment(order);
  if (paidBy !== null && !isAccepted) {
    if (isStaleHold(order)) await restoreOwnerStatus(store, order);
    if (paidBy !== receipt.paymentId) return { outcome: "other-payment", paidBy };
    if (receipt.unanswered) await tellUnfinished(store, order, receipt);
    return { outcome: "already", evidence: "read-back" };
  }
  if (!isAccepted && !isPayable(order)) return notPayable(order.status);
  if (!totalMatches(order, receipt)) return { outcome: "not-payable", why: { kind: "total_changed" } };
  // Only an accepted payment gets here: its order is unpaid again. After this error the engine reads the order and tries again.
  throw new StoreError("unavailable", `Order ${order.id} is no longer set to paid: the order is read again.`);
}
