import type { Finding, OrderRef } from "@tillkit/core";
import { heldNote, holdByPlugin, noteMessages } from "@tillkit/php-bridge";
import { META } from "../protocol/names.ts";
import { wooWords } from "../protocol/platform.ts";
import { isStaleHold, paidByOf } from "../store/paid-by.ts";
import { isPayable, languageOf, type WooOrder } from "../store/woo-order.ts";
import type { WooStore } from "../store/woo-store.ts";
import { addNoteOnce } from "./order-notes.ts";
import { CLEARED_HOLD, readWithoutStaleHold, restoreOwnerStatus } from "./stale-hold.ts";
import { isDoneByPlugin, readOrderOf } from "./write-by-plugin.ts";

/** Adds a note for the owner and puts the order on hold. An order that is paid or can no longer be paid keeps its status. */
export async function holdForReview(store: WooStore, ref: OrderRef, finding: Finding): Promise<void> {
  const order = await readWithoutStaleHold(store, ref);
  if (!order) return;
  const language = languageOf(order, store.language);
  await addNoteOnce(store, order, heldNote(finding, noteMessages(language, wooWords), language));
  if (store.onMismatch === "note" || !awaitsPayment(order)) return;
  if (store.writeOrdersBy !== "rest" && (await isDoneByPlugin(store, holdByPlugin(store.plugin, readOrderOf(order)))))
    return;
  await holdByRest(store, ref);
}

/**
 * The REST API has no conditional write, so the order is read right before it is written. If the owner sets the order to paid
 * between read and write, the hold overwrites that status. The response then shows a date of payment, and the status is restored.
 */
async function holdByRest(store: WooStore, ref: OrderRef): Promise<void> {
  const order = await store.readOrder(ref);
  if (!order || !awaitsPayment(order)) return;
  // An order that was set to paid and then back to unpaid keeps its date of payment. With the hold meta it would look like a stale hold.
  const holdMeta = order.date_paid_gmt
    ? CLEARED_HOLD
    : { key: META.hold, value: String(Math.floor(store.clock.now() / 1_000)) };
  const after = await store.changeOrder(ref.orderId, { status: "on-hold", meta_data: [holdMeta] });
  if (after && isStaleHold(after)) await restoreOwnerStatus(store, after);
}

function awaitsPayment(order: WooOrder): boolean {
  return paidByOf(order) === null && isPayable(order) && order.status !== "on-hold";
}
