import type { Clock } from "@tillkit/core";
import type { OrderContext } from "../admin/order-objects.ts";
import {
  type OrderInput,
  type OrderRefund,
  outstandingPayment,
  type ShopOrder,
  type ShopOrders,
} from "../admin/shop-orders.ts";
import { orderPayload, refundPayload } from "../admin/webhook-payloads.ts";
import type { SimulatedShop } from "./simulated-shop.ts";

export type MerchantOrders = Pick<
  SimulatedShop,
  "placeOrder" | "editOrder" | "cancelOrder" | "payOrderOutside" | "markOrderAsPaid" | "refundOrder" | "orderPayload"
> & {
  /** Sends a webhook about the order as it is now. */
  sendOrder(topic: string, order: ShopOrder): void;
  sendRefund(order: ShopOrder, refund: OrderRefund): void;
};

/** The merchant's actions with orders in the admin. Every change sends its webhook. */
export function createMerchantOrders(shop: {
  readonly clock: Clock;
  readonly orders: ShopOrders;
  readonly sendWebhook: SimulatedShop["sendWebhook"];
  orderContext(order: ShopOrder): OrderContext;
}): MerchantOrders {
  const { clock, orders, sendWebhook, orderContext } = shop;

  const sendOrder = (topic: string, order: ShopOrder) =>
    void sendWebhook(topic, orderPayload(order, orderContext(order)));
  const sendRefund = (order: ShopOrder, refund: OrderRefund) =>
    void sendWebhook("refunds/create", refundPayload(order, refund, orderContext(order)));

  function requireOrder(id: string): ShopOrder {
    const order = orders.find(id);
    if (!order) throw new Error(`This shop has no order ${id}.`);
    return order;
  }

  function changeOrder(id: string, topic: string, change: (order: ShopOrder) => void): ShopOrder {
    const order = requireOrder(id);
    change(order);
    orders.markUpdated(order);
    sendOrder(topic, order);
    return order;
  }

  return {
    sendOrder,
    sendRefund,
    placeOrder(input) {
      const order = orders.place(withDefaults(input));
      sendOrder("orders/create", order);
      return order;
    },
    editOrder: (id, total) => changeOrder(id, "orders/updated", (order) => Object.assign(order, { total })),
    cancelOrder: (id) =>
      changeOrder(id, "orders/cancelled", (order) =>
        Object.assign(order, { cancelledAt: clock.now(), cancelReason: "CUSTOMER" }),
      ),
    payOrderOutside: (id, amount, gateway = "Cash") =>
      changeOrder(id, "orders/updated", (order) => {
        orders.recordPayment(order, { kind: "SALE", amount, gateway, parentId: null, manual: true });
      }),
    markOrderAsPaid: (id) =>
      changeOrder(id, "orders/updated", (order) => void orders.recordPayment(order, outstandingPayment(order))),
    refundOrder(id, amount, note = null, gateway) {
      const order = requireOrder(id);
      const refund = orders.refund(order, amount, note, gateway);
      sendRefund(order, refund);
      return refund;
    },
    orderPayload(id) {
      const order = requireOrder(id);
      return orderPayload(order, orderContext(order));
    },
  };
}

function withDefaults({ total, ...input }: Partial<OrderInput> & Pick<OrderInput, "total">): OrderInput {
  return { total, gateway: "Mobile money", test: false, email: "awa@shopper.example", locale: "fr", ...input };
}
