import { CheckoutError, explainFinding, findingKey, type Order, type OrderRef, type StoreAdapter } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";
import { tagOrder } from "../operations/order-mutations.ts";
import { brandingOf, NO_ORDER_SETTINGS, type ShopProfile } from "../records/shops.ts";
import { shopHandle } from "../shop-domain.ts";
import { describeUserErrors } from "../shopify-api/operation.ts";
import { SHOP_PAUSED } from "../texts/rejection-texts.ts";
import { markOrderPaid } from "./mark-order-paid.ts";
import { createOrderDetails } from "./order-details.ts";
import { gidNumber, orderGid } from "./order-number.ts";
import { createOrderStore, type OrderStore, type OrderStoreParts } from "./order-store.ts";
import { isOurOrder } from "./order-transactions.ts";
import { pendingOrders } from "./pending-orders.ts";
import { recordOrderRefund } from "./record-order-refund.ts";
import { toOrder } from "./to-order.ts";

/** The store adapter of one shop in order mode, whose orders wait for payment under a manual payment method. */
export function createOrderAdapter(shop: string, parts: OrderStoreParts, profile: ShopProfile): StoreAdapter {
  const store = createOrderStore(shop, parts);
  const { graphql, notices, shops, shopUrl, isStarted, log, read } = store;

  const detailsOf = createOrderDetails(store);

  async function tag({ graphql }: OrderStore, ref: OrderRef, name: string): Promise<void> {
    const { userErrors } = await graphql.call(shop, tagOrder, { id: orderGid(ref.orderId), tags: [name] });
    if (userErrors.length === 0) return;
    log.warn("shopify.tag_refused", { storeId: shop, reason: describeUserErrors(userErrors) });
  }

  async function findOrder(ref: OrderRef, attempt: string): Promise<Order | null> {
    const foundOrder = await read(ref, attempt);
    const order = foundOrder && toOrder(foundOrder.adminOrder, ref, foundOrder);
    if (!order?.payable || (await isStarted(ref))) return order;
    // A paused shop starts no payment, like a shop without a key. Payments that were started before are completed.
    if (foundOrder?.paused) throw new CheckoutError("store_not_known", SHOP_PAUSED);
    return { ...order, ...(await detailsOf(ref.orderId)) };
  }

  return {
    platform: "shopify",
    name: profile.name ?? shopHandle(shop),
    branding: brandingOf(profile, shopUrl(shop)),
    writes: { kind: "read-then-write", settleAfterMs: shopifyLimits.settleAfterMs },
    findOrder,
    markPaid: (receipt) => markOrderPaid(store, receipt),
    async holdForReview(ref, attempt, finding) {
      const timedStore = store.forOneCall();
      if (!(await timedStore.read(ref, attempt))) return;
      const text = explainFinding(finding, await shops.languageOf(shop));
      await notices.add(ref, findingKey(finding), { kind: "hold", text });
      await tag(timedStore, ref, "tillkit-review");
    },
    async addNote(ref, key, text) {
      const timedStore = store.forOneCall();
      await notices.add(ref, key, { kind: "note", text });
      await tag(timedStore, ref, "tillkit-note");
    },
    adminUrl: ({ orderId }) => `${shopUrl(shop)}/admin/orders/${orderId}`,
    recordRefund: (refund) => recordOrderRefund(store.forOneCall(), refund),
    async shopperUrl(ref, attempt) {
      return (await read(ref, attempt))?.adminOrder.statusPageUrl ?? shopUrl(shop);
    },
    async *listUnsettled(since) {
      const settings = (await shops.find(shop)) ?? NO_ORDER_SETTINGS;
      for await (const adminOrder of pendingOrders(graphql, shop, since)) {
        const ref = { storeId: shop, orderId: gidNumber(adminOrder.id) };
        if (isOurOrder(adminOrder, settings)) yield { ref, attempt: "" };
      }
    },
  };
}
