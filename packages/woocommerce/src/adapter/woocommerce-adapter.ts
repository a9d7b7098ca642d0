import { explainFinding, type Finding, type OrderRef, type StoreAdapter } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import { META } from "../protocol/names.ts";
import { buyerUrl } from "./buyer-url.ts";
import { markPaid } from "./mark-paid.ts";
import { addNoteOnce } from "./notes.ts";
import { recordRefund } from "./record-refund.ts";
import { createToldOrders } from "./told-orders.ts";
import { listUnsettled } from "./unsettled.ts";
import { isPayable, languageOf, orderOf, proofOf } from "./woo-order.ts";
import type { WooShop } from "./woo-shop.ts";
import { wordsOf } from "./words.ts";

/** A WooCommerce shop as the engine sees it. An order of WooCommerce has one try at a time, so attempts have no name. */
export function createWooCommerceAdapter(shop: WooShop): StoreAdapter {
  const toldOrders = createToldOrders(shop.clock);

  async function holdForReview(ref: OrderRef, _attempt: string, finding: Finding): Promise<void> {
    const order = await shop.readOrder(ref);
    if (!order) return;
    const language = languageOf(order, shop.language);
    const text = wordsOf(language).hold(explainFinding(finding, language));
    await addNoteOnce(shop, ref.orderId, { kind: "hold", key: JSON.stringify(finding), text });
    const waits = proofOf(order) === null && isPayable(order) && order.status !== "on-hold";
    if (waits && shop.onMismatch === "hold") await shop.changeOrder(ref.orderId, { status: "on-hold" });
  }

  async function markPending(ref: OrderRef, _attempt: string, until: number): Promise<void> {
    const order = await shop.readOrder(ref);
    if (!order || proofOf(order) !== null || !isPayable(order)) return;
    const value = String(Math.floor(until / 1_000));
    await shop.changeOrder(ref.orderId, { meta_data: [{ key: META.openUntil, value }] });
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
    markPaid: (receipt) => markPaid(shop, receipt, toldOrders.take(receipt.ref.orderId)),
    holdForReview,
    markPending,
    buyerUrl: (ref, _attempt, outcome) => buyerUrl(shop, ref, outcome),
    recordRefund: (refund) => recordRefund(shop, refund),
    async note(ref, key, text) {
      if (await shop.readOrder(ref)) await addNoteOnce(shop, ref.orderId, { kind: "note", key, text });
    },
    listUnsettled: (since) => listUnsettled(shop, since),
  };
}
