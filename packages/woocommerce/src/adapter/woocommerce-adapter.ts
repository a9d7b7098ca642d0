import type { OrderRef, StoreAdapter } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import { META } from "../protocol/names.ts";
import { paidByOf } from "../shop/paid-by.ts";
import { shopperUrl } from "../shop/shopper-url.ts";
import { toOrder } from "../shop/to-order.ts";
import { isPayable } from "../shop/woo-order.ts";
import type { WooShop } from "../shop/woo-shop.ts";
import { holdForReview } from "./hold-order.ts";
import { listUnsettled } from "./list-unsettled.ts";
import { markPaid } from "./mark-paid.ts";
import { addNoteOnce } from "./order-notes.ts";
import { createRecentOrders } from "./recent-orders.ts";
import { recordRefund } from "./record-refund.ts";
import { readWithoutStaleHold } from "./stale-hold.ts";

/** The adapter of a WooCommerce shop. An order of WooCommerce has one payment attempt at a time, so `attempt` is always empty. */
export function createWooCommerceAdapter(shop: WooShop): StoreAdapter {
  const recentOrders = createRecentOrders(shop.clock);

  async function markPending(ref: OrderRef, _attempt: string, openUntil: number): Promise<void> {
    const call = shop.forOneCall();
    const order = await call.readOrder(ref);
    if (!order || paidByOf(order) !== null || !isPayable(order)) return;
    const value = String(Math.floor(openUntil / 1_000));
    await call.changeOrder(ref.orderId, { meta_data: [{ key: META.openUntil, value }] });
  }

  return {
    platform: "woocommerce",
    ...(shop.name === undefined ? {} : { name: shop.name }),
    writes:
      shop.settleBy === "plugin"
        ? { kind: "conditional" }
        : { kind: "read-then-write", settleAfterMs: wooLimits.settleAfterMs },
    async findOrder(ref, attempt) {
      const order = attempt === "" ? await shop.readOrder(ref) : null;
      if (order) recentOrders.put(order);
      return order && toOrder(order, ref, shop);
    },
    markPaid: (receipt) => markPaid(shop.forOneCall(), receipt, recentOrders.take(receipt.ref.orderId)),
    holdForReview: (ref, _attempt, finding) => holdForReview(shop.forOneCall(), ref, finding),
    markPending,
    shopperUrl: (ref, _attempt, outcome) => shopperUrl(shop, ref, outcome),
    recordRefund: (refund) => recordRefund(shop.forOneCall(), refund),
    async addNote(ref, key, text) {
      const call = shop.forOneCall();
      if (await readWithoutStaleHold(call, ref)) await addNoteOnce(call, ref.orderId, { kind: "note", key, text });
    },
    listUnsettled: (since) => listUnsettled(shop, since),
  };
}
