import type { OrderRef, Receipt, StoreAdapter, StoreAnswer } from "@tillkit/core";
import { assertPluginReachable, isOrderId, type ReadOrderMoney, shopperUrlOf } from "@tillkit/php-bridge";
import { wooLimits } from "../limits.ts";
import { META } from "../protocol/names.ts";
import { mayWaitForAnotherPayment, paidByOf } from "../store/paid-by.ts";
import { toBridgedOrder, toOrder } from "../store/to-order.ts";
import { isPayable, metaOf } from "../store/woo-order.ts";
import type { WooStore } from "../store/woo-store.ts";
import { holdForReview } from "./hold-order.ts";
import { listUnsettled } from "./list-unsettled.ts";
import { markPaid, noteShortfall } from "./mark-paid.ts";
import { addNoteOnce } from "./order-notes.ts";
import { createRecentOrders } from "./recent-orders.ts";
import { recordRefund } from "./record-refund.ts";
import { showDecision } from "./show-decision.ts";
import { readWithoutStaleHold } from "./stale-hold.ts";

/**
 * The adapter of a WooCommerce shop. An order of WooCommerce has one payment attempt at a time, so `attempt` is always empty.
 * Without `readMoney` the order list does not mark the orders whose money waits for a decision.
 */
export function createWooCommerceAdapter(store: WooStore, readMoney?: ReadOrderMoney): StoreAdapter {
  const recentOrders = createRecentOrders(store.clock);

  // Each function takes its store from `forOneCall`, so all its requests share the time limit of one call.
  async function updateDecision(timedStore: WooStore, ref: OrderRef): Promise<void> {
    if (readMoney) await showDecision(timedStore, ref, () => readMoney(ref));
  }

  async function markOrderPaid(receipt: Receipt): Promise<StoreAnswer> {
    const timedStore = store.forOneCall();
    const recent = recentOrders.take(receipt.ref.orderId);
    const answer = await markPaid(timedStore, receipt, recent);
    if ("evidence" in answer) await noteShortfall(timedStore, receipt);
    // The order is paid, so a failure here is ignored: the plugin's box on the order's page corrects an outdated mark.
    if (recent && metaOf(recent, META.decision) !== "")
      await updateDecision(timedStore, receipt.ref).catch(() => undefined);
    return answer;
  }

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
    ...(store.branding === undefined ? {} : { branding: store.branding }),
    // Each member that writes an order calls a route of the plugin, which looks and writes under its lock. `markPending` sets one field of ours,
    // which changes nothing on a paid order, however late.
    writes:
      store.writeOrdersBy === "plugin"
        ? { kind: "conditional" }
        : { kind: "read-then-write", settleAfterMs: wooLimits.settleAfterMs },
    async findOrder(ref, attempt) {
      let order = attempt === "" ? await store.readOrder(ref) : null;
      if (order && readMoney && mayWaitForAnotherPayment(order)) {
        await updateDecision(store, ref);
        order = await store.readOrder(ref);
      }
      if (order) recentOrders.put(order);
      return order && toOrder(order, ref, store);
    },
    markPaid: markOrderPaid,
    // The other ways to write fall back on each other.
    ...(store.writeOrdersBy === "plugin"
      ? { assertReachable: () => assertPluginReachable(store.forOneCall().plugin) }
      : {}),
    async holdForReview(ref, _attempt, finding) {
      const timedStore = store.forOneCall();
      await holdForReview(timedStore, ref, finding);
      await updateDecision(timedStore, ref);
    },
    markPending,
    // WooCommerce redirects this address to the order's own page where orders have their own tables.
    adminUrl: ({ orderId }) =>
      isOrderId(orderId) ? `${store.url}/wp-admin/post.php?post=${orderId}&action=edit` : null,
    async shopperUrl(ref, _attempt, outcome) {
      const order = await store.readOrder(ref);
      return order ? shopperUrlOf(toBridgedOrder(order, store.language), store, outcome) : `${store.url}/`;
    },
    async recordRefund(refund) {
      const timedStore = store.forOneCall();
      const answer = await recordRefund(timedStore, refund);
      await updateDecision(timedStore, refund.ref);
      return answer;
    },
    async addNote(ref, key, text) {
      const timedStore = store.forOneCall();
      const order = await readWithoutStaleHold(timedStore, ref);
      if (order) await addNoteOnce(timedStore, order, { kind: "note", key, text });
      await updateDecision(timedStore, ref);
    },
    listUnsettled: (since) => listUnsettled(store, since),
  };
}
