import {
  type Environment,
  type Money,
  type NotPayable,
  type Order,
  type OrderRef,
  type Receipt,
  type StoreAdapter,
  type StoreAnswer,
  sameMoney,
} from "@tillkit/core";
import { findProduct } from "./catalogue.ts";
import { addRefund, findOrder, holdOrder, type ShopOrder, settleOrder } from "./orders.ts";
import type { ShopDatabase, ShopQueries } from "./shop-database.ts";

export const STORE_ID = "chez-adjoua";

/**
 * The adapter between Tillkit and this shop: five methods and a link to the owner's page. Tillkit decides when a payment has
 * arrived; the shop decides, in its own transaction, whether its order can still accept the payment.
 */
export function createShopAdapter(
  shop: ShopDatabase,
  { publicUrl, environment, now }: { publicUrl: string; environment: Environment; now: () => number },
): StoreAdapter {
  return {
    platform: "example-shop",
    name: "Chez Adjoua",
    branding: { homeUrl: publicUrl, color: "#a63f22" },
    // The table `order_payments` has the order as its primary key: a second payment of the order can never be written, however
    // late. A platform without such a rule uses `read-then-write` and states how long a request may be in flight.
    writes: { kind: "conditional" },

    // Called before a session is opened and again when a payment arrived. It must return the current order, never a cached one.
    async findOrder(ref) {
      const order = await orderOf(shop.db, ref);
      return order && toCheckoutOrder(order, environment);
    },

    // Called again whenever an answer was lost, so the same receipt must take effect once: the checks, the payment, the
    // state and the stock change in one transaction or not at all. An error is simply thrown, and Tillkit retries.
    async markPaid(receipt) {
      return await shop.transaction((queries) => takePayment(queries, receipt, now()));
    },

    // The payment differs from the order, so the order stays unpaid and the owner's page shows why.
    async holdForReview(ref, _attempt, finding) {
      const order = await orderOf(shop.db, ref);
      if (order) await holdOrder(shop.db, order, finding, now());
    },

    // A refund of another payment was never part of this order: the shop has nothing to record.
    async recordRefund({ ref, paymentId, refundId, amount, status }) {
      const order = await orderOf(shop.db, ref);
      if (!order) return { outcome: "gone" };
      if (order.paymentId !== paymentId || status === "failed") return { outcome: "already", evidence: "read-back" };
      const isNew = await addRefund(shop.db, order, { refundId, amount, at: now() });
      return { outcome: isNew ? "recorded" : "already", evidence: "read-back" };
    },

    // The shopper may come back in another browser, so the address alone must open the page and must be unguessable.
    async shopperUrl(ref, _attempt, outcome) {
      const order = await orderOf(shop.db, ref);
      return order ? `${publicUrl}/orders/${order.key}?outcome=${outcome}` : publicUrl;
    },

    adminUrl: ({ orderId }) => `${publicUrl}/owner#order-${encodeURIComponent(orderId)}`,
  };
}

/** Converts an order to Tillkit's type, which `startCheckout` takes too. */
export function toCheckoutOrder(order: ShopOrder, environment: Environment): Order {
  return {
    ref: { storeId: STORE_ID, orderId: order.id },
    number: order.id,
    // This shop has no ids for attempts to pay.
    attempt: "",
    total: order.total,
    // The hosted page shows the title. It must not contain a person's name, because it leaves the shop.
    title: order.language === "fr" ? `Commande ${order.id}` : `Order ${order.id}`,
    description: order.lines
      .map(({ productId, quantity }) => `${quantity} × ${findProduct(productId)?.name[order.language] ?? productId}`)
      .join(", "),
    customer: { name: order.pickupName },
    environment,
    language: order.language,
    payable: order.state === "open" && order.inStock,
    paidBy: order.paymentId,
  };
}

// One Tillkit server can serve many shops; an order number of another shop must find nothing here.
async function orderOf(queries: ShopQueries, { storeId, orderId }: OrderRef): Promise<ShopOrder | null> {
  return storeId === STORE_ID ? await findOrder(queries, { id: orderId }) : null;
}

// #region take-payment
// Reads and writes in one transaction of the shop's own database, so that its commit proves the result as a read-back would.
async function takePayment(queries: ShopQueries, receipt: Receipt, at: number): Promise<StoreAnswer> {
  const order = await orderOf(queries, receipt.ref);
  if (!order) return { outcome: "gone" };
  if (order.paymentId === receipt.paymentId) return { outcome: "already", evidence: "read-back" };
  if (order.paymentId) return { outcome: "other-payment", paidBy: order.paymentId };
  const why = refusalOf(order, receipt.total);
  if (why) return { outcome: "not-payable", why };
  await settleOrder(queries, order, receipt, at);
  return { outcome: "recorded", evidence: "read-back" };
}
// #endregion take-payment

// Tillkit checked the order before, but the owner or another shopper may have changed the order or the stock since.
function refusalOf(order: ShopOrder, verifiedTotal: Money): NotPayable | null {
  if (order.state !== "open") return { kind: "cancelled" };
  if (!order.inStock) return { kind: "sold_out" };
  return sameMoney(order.total, verifiedTotal) ? null : { kind: "total_changed" };
}
