import type { OrderRef, StoreAdapter } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import { META } from "../protocol/names.ts";
import { buyerUrl } from "./buyer-url.ts";
import { holdForReview } from "./hold-order.ts";
import { readDecided } from "./late-hold.ts";
import { markPaid } from "./mark-paid.ts";
import { addNoteOnce } from "./notes.ts";
import { orderOf } from "./order-of.ts";
import { paidByOf } from "./paid-by.ts";
import { recordRefund } from "./record-refund.ts";
import { createToldOrders } from "./told-orders.ts";
import { listUnsettled } from "./unsettled.ts";
import { isPayable } from "./woo-order.ts";
import type { WooShop } from "./woo-shop.ts";

/** A WooCommerce shop as the engine sees it. An order of WooCommerce has one try at a time, so attempts have no name. */
export function createWooCommerceAdapter(shop: WooShop): StoreAdapter {
  const toldOrders = createToldOrders(shop.clock);

  async function markPending(ref: OrderRef, _attempt: string, until: number): Promise<void> {
    const bounded = shop.within();
    const order = await bounded.readOrder(ref);
    if (!order || paidByOf(order) !== null || !isPayable(order)) return;
    const value = String(Math.floor(until / 1_000));
    await bounded.changeOrder(ref.orderId, { meta_data: [{ key: META.openUntil, value }] });
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
      if (order) toldOrders.keep(order);
      return order && orderOf(order, ref, shop);
    },
    markPaid: (receipt) => markPaid(shop.within(), receipt, toldOrders.take(receipt.ref.orderId)),
    holdForReview: (ref, _attempt, finding) => holdForReview(shop.within(), ref, finding),
    markPending,
    shopperUrl: (ref, _attempt, outcome) => buyerUrl(shop, ref, outcome),
    recordRefund: (refund) => recordRefund(shop.within(), refund),
    async addNote(ref, key, text) {
      const bounded = shop.within();
      if (await readDecided(bounded, ref)) await addNoteOnce(bounded, ref.orderId, { kind: "note", key, text });
    },
    listUnsettled: (since) => listUnsettled(shop, since),
  };
}
