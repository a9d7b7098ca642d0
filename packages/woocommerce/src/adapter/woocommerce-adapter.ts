import type { OrderRef, StoreAdapter } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import { META } from "../protocol/names.ts";
import { paidByOf } from "../store/paid-by.ts";
import { shopperUrl } from "../store/shopper-url.ts";
import { toOrder } from "../store/to-order.ts";
import { isPayable } from "../store/woo-order.ts";
import type { WooStore } from "../store/woo-store.ts";
import { holdForReview } from "./hold-order.ts";
import { listUnsettled } from "./list-unsettled.ts";
import { markPaid } from "./mark-paid.ts";
import { addNoteOnce } from "./order-notes.ts";
import { createRecentOrders } from "./recent-orders.ts";
import { recordRefund } from "./record-refund.ts";
import { readWithoutStaleHold } from "./stale-hold.ts";

/** The adapter of a WooCommerce shop. An order of WooCommerce has one payment attempt at a time, so `attempt` is always empty. */
export function createWooCommerceAdapter(store: WooStore): StoreAdapter {
  const recentOrders = createRecentOrders(store.clock);

  async function markPending(ref: OrderRef, _attempt: string, openUntil: number): Promise<void> {
    const timedStore = store.forOneCall();
    const order = await timedStore.readOrder(ref);
    if (!order || paidByOf(order) !== null || !isPayable(order)) return;
    const value = String(Math.floor(openUntil / 1_000));
    await timedStore.changeOrder(ref.orderId, { meta_data: [{ key: META.openUntil, value }] });
  }

  return {
    platform: "woocommerce",
    ...(store.name === undefined ? {} : { name: store.name }),
    writes:
      store.writeOrdersBy === "plugin"
        ? { kind: "conditional" }
        : { kind: "read-then-write", settleAfterMs: wooLimits.settleAfterMs },
    async findOrder(ref, attempt) {
      const order = attempt === "" ? await store.readOrder(ref) : null;
      if (order) recentOrders.put(order);
      return order && toOrder(order, ref, store);
    },
    markPaid: (receipt) => markPaid(store.forOneCall(), receipt, recentOrders.take(receipt.ref.orderId)),
    holdForReview: (ref, _attempt, finding) => holdForReview(store.forOneCall(), ref, finding),
    markPending,
    shopperUrl: (ref, _attempt, outcome) => shopperUrl(store, ref, outcome),
    recordRefund: (refund) => recordRefund(store.forOneCall(), refund),
    async addNote(ref, key, text) {
      const timedStore = store.forOneCall();
      if (await readWithoutStaleHold(timedStore, ref))
        await addNoteOnce(timedStore, ref.orderId, { kind: "note", key, text });
    },
    listUnsettled: (since) => listUnsettled(store, since),
  };
}
