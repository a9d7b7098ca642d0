import { type Receipt, type StoreAnswer, StoreError } from "@tillkit/core";
import { GATEWAY, META } from "../protocol/names.ts";
import { gone, otherPayment, transactionOf } from "./answers.ts";
import { NO_HOLD, restoreDecision } from "./late-hold.ts";
import { addNote } from "./notes.ts";
import { decidedStatus, isLateHold, paidByOf } from "./paid-by.ts";
import { settleByPlugin } from "./settle-by-plugin.ts";
import { asksFor, isPayable, languageOf, type WooOrder } from "./woo-order.ts";
import type { WooShop } from "./woo-shop.ts";
import { wordsOf } from "./words.ts";

/**
 * Writes on the condition of what was read; the answer to the write has to show the payment. `told` is the order as it was
 * read a moment ago: enough for the plugin, which compares it under its lock. The REST API compares nothing, so the order is
 * read anew right before that is used.
 */
export async function markPaid(shop: WooShop, receipt: Receipt, told: WooOrder | null): Promise<StoreAnswer> {
  if (shop.settleBy === "rest") return await settleByRest(shop, receipt);
  const before = told && isToWrite(told, receipt) ? told : await shop.readOrder(receipt.ref);
  if (!before) return gone(receipt.ref.orderId);
  if (!isToWrite(before, receipt)) return await answerOf(shop, before, receipt);
  return (await settleByPlugin(shop, before, receipt)) ?? (await settleByRest(shop, receipt));
}

/**
 * `PUT /wc/v3/orders/{id}` with `set_paid`, which counts for pending, failed and draft orders only and is answered 200 for
 * all others: an order on hold is taken off it by the same request. An order that its owner set to paid by hand is not paid
 * again: the accepted payment is named on it, and a status is written only where a hold of ours had landed on the owner's.
 */
async function settleByRest(shop: WooShop, receipt: Receipt): Promise<StoreAnswer> {
  const { orderId } = receipt.ref;
  const before = await shop.readOrder(receipt.ref);
  if (!before) return gone(orderId);
  if (!isToWrite(before, receipt)) return await answerOf(shop, before, receipt);
  const after = await shop.changeOrder(orderId, {
    ...(receipt.alreadyPaid ? asDecided(before) : asPaid(before)),
    payment_method: GATEWAY,
    transaction_id: transactionOf(receipt),
    meta_data: [{ key: META.payment, value: receipt.paymentId }, NO_HOLD],
  });
  if (!after) return gone(orderId);
  const paidBy = paidByOf(after);
  if (paidBy === receipt.paymentId && !isUnpaid(after)) {
    notePaid(shop, after, receipt);
    return { outcome: "recorded", evidence: "read-back" };
  }
  if (paidBy !== null && paidBy !== receipt.paymentId) return otherPayment(after, paidBy);
  if (!isPayable(after)) return notPayable(after);
  throw new StoreError(
    "unavailable",
    `The shop took the payment of order ${orderId} and does not show it: another plugin interferes with payment_complete.`,
  );
}

function asPaid({ status }: WooOrder): object {
  return { ...(status === "on-hold" ? { status: "pending" } : {}), set_paid: true };
}

function asDecided(order: WooOrder): object {
  return isLateHold(order) ? { status: decidedStatus(order) } : {};
}

/** An order that was set to paid and taken back bears a date of payment that proves nothing. */
function isUnpaid({ status }: WooOrder): boolean {
  return status === "pending" || status === "failed";
}

/**
 * The plugin's route leaves a note by itself, the API does not. The order is paid whatever becomes of the note, so nobody
 * waits for it; one that would leave too late is not sent.
 */
function notePaid(shop: WooShop, order: WooOrder, receipt: Receipt): void {
  const words = wordsOf(languageOf(order, shop.language));
  const say = receipt.alreadyPaid ? words.accepted : words.paid;
  const text = say(receipt.paymentId, transactionOf(receipt));
  addNote(shop, String(order.id), { kind: "paid", key: receipt.paymentId, text }).catch(() => undefined);
}

/** Whether the order waits for this very payment: for its money, or, once the owner set it to paid, for its name. */
function isToWrite(order: WooOrder, receipt: Receipt): boolean {
  const waits = receipt.alreadyPaid ? isNameless(order) : paidByOf(order) === null && isPayable(order);
  return waits && asksFor(order, receipt);
}

/** Set to paid, and by nothing that anybody can name: an accepted payment can be named on it. */
function isNameless(order: WooOrder): boolean {
  const paidBy = paidByOf(order);
  return paidBy === "owner" || paidBy === "unclear";
}

/** What an order answers that is not to be written. */
async function answerOf(shop: WooShop, order: WooOrder, receipt: Receipt): Promise<StoreAnswer> {
  const paidBy = paidByOf(order);
  const isAccepted = receipt.alreadyPaid === true && isNameless(order);
  if (paidBy !== null && !isAccepted) {
    if (isLateHold(order)) await restoreDecision(shop, order);
    return paidBy === receipt.paymentId ? { outcome: "already", evidence: "read-back" } : otherPayment(order, paidBy);
  }
  if (!isAccepted && !isPayable(order)) return notPayable(order);
  if (!asksFor(order, receipt)) return { outcome: "not-payable", detail: `Order ${order.id} was edited a moment ago.` };
  throw new StoreError("unavailable", `Order ${order.id} is not set to paid any more: it is read again.`);
}

function notPayable({ id, status }: WooOrder): StoreAnswer {
  return { outcome: "not-payable", detail: `Order ${id} is "${status}" in the shop.` };
}
