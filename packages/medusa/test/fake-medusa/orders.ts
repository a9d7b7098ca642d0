import type { PaymentSessions } from "./payment-sessions.ts";
import type { Payments } from "./payments.ts";
import { type FakeCart, type FakeSession, type FakeTables, requireCollection, requireRow } from "./tables.ts";

export type Orders = {
  requestOutstandingAmount(cart: FakeCart, amount: string): Promise<FakeSession>;
  cancel(orderId: string): Promise<void>;
};

export function createOrders(tables: FakeTables, sessions: PaymentSessions, payments: Payments): Orders {
  return {
    async requestOutstandingAmount(cart, amount) {
      const found = tables.orders.find(({ cartId }) => cartId === cart.id);
      const order = requireRow(found, "order");
      const { currencyCode } = requireCollection(tables, cart.collectionId);
      const outstandingCollectionId = tables.newId("pay_col");
      const collection = { id: outstandingCollectionId, currencyCode, amount, status: "not_paid", metadata: null };
      tables.collections.push(collection);
      order.outstandingCollectionId = outstandingCollectionId;
      return await sessions.initiate({ collectionId: outstandingCollectionId });
    },
    async cancel(orderId) {
      const found = tables.orders.find(({ id }) => id === orderId);
      const order = requireRow(found, "order");
      const cart = tables.carts.find(({ id }) => id === order.cartId);
      const collectionIds = [cart?.collectionId, order.outstandingCollectionId];
      for (const payment of tables.payments.filter(({ collectionId }) => collectionIds.includes(collectionId))) {
        const refunded = payment.refunds.reduce((sum, { amount }) => sum + Number(amount), 0);
        const rest = Number(payment.amount) - refunded;
        if (payment.captures > 0 && rest > 0) await payments.refund(payment, String(rest)).catch(() => undefined);
      }
      order.status = "canceled";
    },
  };
}
