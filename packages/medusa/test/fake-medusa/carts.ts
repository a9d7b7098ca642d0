import { notAllowed } from "./not-allowed.ts";
import type { PaymentSessions } from "./payment-sessions.ts";
import type { Payments } from "./payments.ts";
import {
  type FakeCart,
  type FakeSession,
  type FakeTables,
  removeRow,
  requireCollection,
  requireRow,
} from "./tables.ts";

export type Carts = {
  /** Returns the order's id. */
  complete(cart: FakeCart): Promise<string>;
  changeTotal(cart: FakeCart, amount: string, currencyCode?: string): Promise<void>;
  /** The workflow that Medusa runs for a webhook of the provider: authorizes the session and completes its cart. */
  processPayment(sessionId: string): Promise<void>;
};

/** Carts under Medusa's locks, which are held while the provider is asked. */
export function createCarts(tables: FakeTables, sessions: PaymentSessions, payments: Payments): Carts {
  const withLock = createLocks();

  async function completeLocked(cart: FakeCart): Promise<string> {
    const existing = tables.orders.find(({ cartId }) => cartId === cart.id);
    if (existing) return existing.id;
    const session = tables.sessions.find(({ collectionId }) => collectionId === cart.collectionId);
    if (!session) throw notAllowed("Payment sessions are required to complete cart");
    if (cart.isSoldOut) {
      await compensate(cart, session);
      throw notAllowed("Some variant does not have the required inventory");
    }
    // Medusa creates the order and its link to the cart first and asks for the payment last.
    const order = {
      id: tables.newId("order"),
      cartId: cart.id,
      displayId: tables.orders.length + 1,
      status: "pending",
    };
    tables.orders.push(order);
    try {
      await payments.authorize(session);
      return order.id;
    } catch (error) {
      removeRow(tables.orders, order);
      throw error;
    }
  }

  // When a paid cart cannot become an order, Medusa refunds it and starts a new session with the old data.
  async function compensate(cart: FakeCart, session: FakeSession): Promise<void> {
    const payment = tables.payments.find(({ sessionId }) => sessionId === session.id);
    if (!payment) return;
    await payments.refund(payment, payment.amount, { note: "Refunded due to cart completion failure", by: null });
    await sessions.initiate(cart, session.data);
  }

  return {
    complete: (cart) => withLock(cart.id, () => completeLocked(cart)),
    changeTotal: (cart, amount, currencyCode) =>
      withLock(cart.id, async () => {
        await sessions.deleteAll(cart);
        const collection = requireCollection(tables, cart.collectionId);
        collection.amount = amount;
        collection.currencyCode = currencyCode ?? collection.currencyCode;
      }),
    async processPayment(sessionId) {
      const found = tables.sessions.find(({ id }) => id === sessionId);
      const session = requireRow(found, "PaymentSession");
      const cart = tables.carts.find(({ collectionId }) => collectionId === session.collectionId);
      if (!cart) {
        await payments.authorize(session);
        return;
      }
      await withLock(cart.id, () => payments.authorize(session));
      // The workflow succeeds even when the cart cannot be completed.
      await withLock(cart.id, () => completeLocked(cart)).catch(() => undefined);
    },
  };
}

/** Returns a function that runs the work of one key after all earlier work of that key, whether that failed or not. */
function createLocks() {
  const lastWork = new Map<string, Promise<unknown>>();
  return async function withLock<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const current = (lastWork.get(key) ?? Promise.resolve()).then(work, work);
    const settled = current.catch(() => undefined);
    lastWork.set(key, settled);
    return await current;
  };
}
