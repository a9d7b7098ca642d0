import { type Receipt, type StoreAnswer, StoreError } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import { GATEWAY, META } from "../protocol/names.ts";
import { gone, transactionOf } from "./answers.ts";
import { addNote } from "./notes.ts";
import { settleByPlugin } from "./settle-by-plugin.ts";
import { asksFor, isPayable, languageOf, proofOf, type WooOrder } from "./woo-order.ts";
import type { WooShop } from "./woo-shop.ts";
import { wordsOf } from "./words.ts";

/**
 * Writes on the condition of what was read; the answer to the write has to show the payment. `told` is the order as it was
 * read a moment ago: enough for the plugin, which compares it under its lock. The REST API compares nothing, so the order is
 * read anew right before that is used.
 */
export async function markPaid(shop: WooShop, receipt: Receipt, told: WooOrder | null): Promise<StoreAnswer> {
  const startedAt = shop.clock.now();
  if (shop.settleBy === "rest") return await settleByRest(shop, receipt, startedAt);
  const before = told && answerOf(told, receipt) === null ? told : await shop.readOrder(receipt.ref);
  if (!before) return gone(receipt.ref.orderId);
  const answer = answerOf(before, receipt) ?? (await settleByPlugin(shop, before, receipt));
  return answer ?? (await settleByRest(shop, receipt, startedAt));
}

/**
 * `PUT /wc/v3/orders/{id}` with `set_paid`, which counts for pending, failed and draft orders only and is answered 200 for
 * all others: an order on hold is taken off it by the same request.
 */
async function settleByRest(shop: WooShop, receipt: Receipt, startedAt: number): Promise<StoreAnswer> {
  const { orderId } = receipt.ref;
  const before = await shop.readOrder(receipt.ref);
  if (!before) return gone(orderId);
  const known = answerOf(before, receipt);
  if (known) return known;
  const after = await shop.changeOrder(orderId, {
    ...(before.status === "on-hold" ? { status: "pending" } : {}),
    set_paid: true,
    payment_method: GATEWAY,
    transaction_id: transactionOf(receipt),
    meta_data: [{ key: META.payment, value: receipt.paymentId }],
  });
  if (!after) return gone(orderId);
  if (proofOf(after) === receipt.paymentId) notePaid(shop, after, receipt, startedAt);
  if (proofOf(after) !== null) return shownBy(after, receipt.paymentId, "recorded");
  if (!isPayable(after)) return notPayable(after);
  throw new StoreError(
    "unavailable",
    `The shop took the payment of order ${orderId} and does not show it: another plugin interferes with payment_complete.`,
  );
}

/**
 * The plugin's route leaves a note by itself, the API does not. The order is paid whatever becomes of the note, so nobody
 * waits for it; one that would leave too late is not sent.
 */
function notePaid(shop: WooShop, order: WooOrder, receipt: Receipt, startedAt: number): void {
  if (shop.clock.now() - startedAt > wooLimits.noteWithinMs) return;
  const text = wordsOf(languageOf(order, shop.language)).paid(receipt.paymentId, transactionOf(receipt));
  addNote(shop, String(order.id), { kind: "paid", key: receipt.paymentId, text }).catch(() => undefined);
}

/** What an order answers without being written; null when it waits for this very payment. */
function answerOf(order: WooOrder, receipt: Receipt): StoreAnswer | null {
  if (proofOf(order) !== null) return shownBy(order, receipt.paymentId, "already");
  if (!isPayable(order)) return notPayable(order);
  return asksFor(order, receipt) ? null : edited(order);
}

function edited({ id }: WooOrder): StoreAnswer {
  return { outcome: "not-payable", detail: `Order ${id} was edited a moment ago.` };
}

function notPayable({ id, status }: WooOrder): StoreAnswer {
  return { outcome: "not-payable", detail: `Order ${id} is "${status}" in the shop.` };
}

function shownBy(order: WooOrder, paymentId: string, own: "recorded" | "already"): StoreAnswer {
  const paidBy = proofOf(order);
  if (paidBy === paymentId) return { outcome: own, evidence: "read-back" };
  return { outcome: "other-payment", detail: `Order ${order.id} shows the payment ${paidBy}.` };
}
