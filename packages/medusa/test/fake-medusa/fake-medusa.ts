import type { IPaymentProvider } from "@medusajs/framework/types";
import type { MedusaContainer } from "../../src/store/medusa-container.ts";
import { createFakeQuery } from "./query.ts";
import {
  createFakeTables,
  type FakeCart,
  type FakePayment,
  type FakeSession,
  type FakeTables,
  requireRow,
} from "./tables.ts";

export const PROVIDER_ID = "pp_tillkit_tillkit";

/** Medusa's built-in manual provider. "Mark as paid" captures with it; stores also offer it as cash on delivery. */
const SYSTEM_PROVIDER_ID = "pp_system_default";

type Payable = Pick<FakeCart, "collectionId">;

/** The provider methods that the fake calls. */
export type ProviderMethods = Pick<
  IPaymentProvider,
  "initiatePayment" | "authorizePayment" | "cancelPayment" | "deletePayment" | "refundPayment"
>;

/**
 * A fake Medusa in memory that behaves as measured on a real one: it holds the cart's lock while it asks the provider,
 * creates the order before it asks for the payment, never compares amounts, deletes the sessions of a changed cart, deletes
 * the row of a failed refund, and refunds a paid cart that cannot be completed.
 */
export type FakeMedusa = {
  readonly tables: FakeTables;
  readonly container: MedusaContainer;
  /** How often each method of the provider was called. */
  readonly providerCalls: Record<string, number>;
  initiate(cart: FakeCart, data?: Record<string, unknown>, providerId?: string): Promise<FakeSession>;
  /** The cart's total changes: its sessions are deleted. */
  changeTotal(cart: FakeCart, amount: string, currencyCode?: string): Promise<void>;
  /** `POST /store/carts/:id/complete`. Returns the order's id. */
  completeCart(cart: FakeCart): Promise<string>;
  refund(payment: FakePayment, amount: string, note?: string): Promise<void>;
  /** The owner edits an order and its total rises. Returns the payment session of a new collection for the difference. */
  requestOutstandingAmount(cart: FakeCart, amount: string): Promise<FakeSession>;
  /** "Mark as paid" on the order's page: deletes the sessions and captures the full amount with the manual provider. */
  markAsPaid(collectionId: string, by: string): Promise<FakePayment>;
  /** `POST /admin/orders/:id/cancel` without our middleware: a refund that was refused is only logged. */
  cancelOrder(orderId: string): Promise<void>;
  /** The next write of a payment row fails, after the provider reported it as captured. */
  failNextPaymentWrite(): void;
};

export function createFakeMedusa(provider: ProviderMethods): FakeMedusa {
  const tables = createFakeTables();
  const query = createFakeQuery(tables);
  const providerCalls: Record<string, number> = {};
  const locks = new Map<string, Promise<unknown>>();
  let failsNextPaymentWrite = false;

  function callProvider<Name extends keyof ProviderMethods>(
    name: Name,
    input: Parameters<ProviderMethods[Name]>[0],
  ): ReturnType<ProviderMethods[Name]> {
    providerCalls[name] = (providerCalls[name] ?? 0) + 1;
    const method = provider[name] as (input: unknown) => ReturnType<ProviderMethods[Name]>;
    return method.call(provider, structuredClone(input));
  }

  async function underLock<Value>(cartId: string, work: () => Promise<Value>): Promise<Value> {
    const current = (locks.get(cartId) ?? Promise.resolve()).then(work, work);
    locks.set(
      cartId,
      current.catch(() => undefined),
    );
    return await current;
  }

  async function initiate(cart: Payable, data: Record<string, unknown> = {}, providerId = PROVIDER_ID) {
    await deleteSessions(cart);
    const collection = requireRow(
      tables.collections.find(({ id }) => id === cart.collectionId),
      "collection",
    );
    const { id: collectionId, amount, currencyCode } = collection;
    const session: FakeSession = {
      id: tables.newId("payses"),
      collectionId,
      providerId,
      amount,
      status: "pending",
      data: { ...data },
    };
    tables.sessions.push(session);
    if (providerId !== PROVIDER_ID) return session;
    try {
      const answer = await callProvider("initiatePayment", {
        amount: Number(amount),
        currency_code: currencyCode,
        data: { ...data, session_id: session.id },
        context: { idempotency_key: session.id },
      });
      session.data = { ...data, ...answer.data };
      session.status = answer.status ?? "pending";
      return session;
    } catch (error) {
      remove(tables.sessions, session);
      throw error;
    }
  }

  async function deleteSessions(cart: Payable): Promise<void> {
    for (const session of tables.sessions.filter(({ collectionId }) => collectionId === cart.collectionId)) {
      if (session.providerId === PROVIDER_ID) await callProvider("deletePayment", { data: session.data });
      remove(tables.sessions, session);
    }
  }

  // One payment per session; a repeated call returns the same payment. Amounts are never compared.
  async function authorize(session: FakeSession): Promise<FakePayment> {
    const existing = tables.payments.find(({ sessionId }) => sessionId === session.id);
    if (existing) return existing;
    const context = { idempotency_key: session.id };
    const { status, data = {} } = await callProvider("authorizePayment", { data: session.data, context });
    session.data = data;
    if (status !== "captured") {
      session.status = status;
      throw notAllowed(`Session: ${session.id} was not authorized with the provider.`);
    }
    const payment: FakePayment = {
      id: tables.newId("pay"),
      sessionId: session.id,
      collectionId: session.collectionId,
      providerId: session.providerId,
      amount: session.amount,
      data,
      captures: 0,
      canceledAt: null,
      refunds: [],
    };
    if (failsNextPaymentWrite || tables.payments.some(({ sessionId }) => sessionId === session.id)) {
      failsNextPaymentWrite = false;
      await callProvider("cancelPayment", { data, context: {} });
      throw new Error("The payment could not be written.");
    }
    session.status = "authorized";
    payment.captures += 1;
    tables.payments.push(payment);
    return payment;
  }

  async function completeLocked(cart: FakeCart): Promise<string> {
    const order = tables.orders.find(({ cartId }) => cartId === cart.id);
    if (order) return order.id;
    const session = tables.sessions.find(({ collectionId }) => collectionId === cart.collectionId);
    if (!session) throw notAllowed("Payment sessions are required to complete cart");
    if (cart.isSoldOut) {
      await compensate(cart, session);
      throw notAllowed("Some variant does not have the required inventory");
    }
    // Medusa creates the order and its link to the cart first and asks for the payment last.
    const newOrder = {
      id: tables.newId("order"),
      cartId: cart.id,
      displayId: tables.orders.length + 1,
      status: "pending",
    };
    tables.orders.push(newOrder);
    try {
      await authorize(session);
      return newOrder.id;
    } catch (error) {
      remove(tables.orders, newOrder);
      throw error;
    }
  }

  // When a paid cart cannot become an order, Medusa refunds it and starts a new session with the old data.
  async function compensate(cart: FakeCart, session: FakeSession): Promise<void> {
    const payment = tables.payments.find(({ sessionId }) => sessionId === session.id);
    if (!payment) return;
    await refund(payment, payment.amount, "Refunded due to cart completion failure");
    await initiate(cart, session.data);
  }

  async function refund(payment: FakePayment, amount: string, note?: string): Promise<void> {
    const row = { id: tables.newId("ref"), amount, note: note ?? null };
    payment.refunds.push(row);
    // Medusa's manual provider accepts every refund and sends nothing.
    if (payment.providerId !== PROVIDER_ID) return;
    try {
      const answer = await callProvider("refundPayment", {
        amount: { value: amount, precision: 20 } as never,
        data: payment.data,
        context: { idempotency_key: row.id },
      });
      payment.data = answer.data ?? {};
    } catch (error) {
      remove(payment.refunds, row);
      throw error;
    }
  }

  async function processPayment(sessionId: string): Promise<void> {
    const session = requireRow(
      tables.sessions.find(({ id }) => id === sessionId),
      "PaymentSession",
    );
    const cart = tables.carts.find(({ collectionId }) => collectionId === session.collectionId);
    if (!cart) return void (await authorize(session));
    await underLock(cart.id, () => authorize(session));
    // The workflow succeeds even when the cart cannot be completed.
    await underLock(cart.id, () => completeLocked(cart)).catch(() => undefined);
  }

  async function requestOutstandingAmount(cart: FakeCart, amount: string): Promise<FakeSession> {
    const order = requireRow(
      tables.orders.find(({ cartId }) => cartId === cart.id),
      "order",
    );
    const [first] = tables.collections.filter(({ id }) => id === cart.collectionId);
    const outstandingCollectionId = tables.newId("pay_col");
    const { currencyCode } = requireRow(first, "collection");
    tables.collections.push({ id: outstandingCollectionId, currencyCode, amount, status: "not_paid", metadata: null });
    Object.assign(order, { outstandingCollectionId });
    return await initiate({ collectionId: outstandingCollectionId });
  }

  async function markAsPaid(collectionId: string, by: string): Promise<FakePayment> {
    const { id: sessionId, amount } = await initiate({ collectionId }, {}, SYSTEM_PROVIDER_ID);
    const row = { sessionId, collectionId, providerId: SYSTEM_PROVIDER_ID, amount, data: {}, captures: 1 };
    const captured = { by, at: new Date() };
    const payment = { id: tables.newId("pay"), ...row, captured, canceledAt: null, refunds: [] };
    tables.payments.push(payment);
    return payment;
  }

  async function cancelOrder(orderId: string): Promise<void> {
    const order = requireRow(
      tables.orders.find(({ id }) => id === orderId),
      "order",
    );
    const cart = tables.carts.find(({ id }) => id === order.cartId);
    const collectionIds = [cart?.collectionId, order.outstandingCollectionId];
    for (const payment of tables.payments.filter(({ collectionId }) => collectionIds.includes(collectionId))) {
      const left = Number(payment.amount) - payment.refunds.reduce((sum, { amount }) => sum + Number(amount), 0);
      if (payment.captures > 0 && left > 0) await refund(payment, String(left)).catch(() => undefined);
    }
    order.status = "canceled";
  }

  const workflows = {
    async run(workflowId: string, { input }: { readonly input: unknown }): Promise<unknown> {
      if (workflowId === "process-payment-workflow") {
        const { data } = input as { data: { session_id: string } };
        return await processPayment(data.session_id);
      }
      if (workflowId === "create-payment-sessions") {
        const { payment_collection_id: collectionId, provider_id: id } = input as Record<string, string>;
        return await initiate({ collectionId: collectionId ?? "" }, {}, id);
      }
      if (workflowId === "complete-cart") {
        const { id } = input as { id: string };
        const cart = requireRow(
          tables.carts.find((one) => one.id === id),
          "cart",
        );
        return await underLock(cart.id, () => completeLocked(cart));
      }
      if (workflowId === "refund-payment-workflow") {
        const { payment_id: id, amount, note } = input as { payment_id: string; amount: number; note: string };
        const payment = requireRow(
          tables.payments.find((one) => one.id === id),
          "payment",
        );
        const refunded = payment.refunds.reduce((sum, row) => sum + Number(row.amount), 0);
        if (refunded + amount > Number(payment.amount) + 0.001)
          throw new Error("You are not allowed to refund more than the captured amount");
        return await refund(payment, String(amount), note);
      }
      throw new Error(`Workflow with id "${workflowId}" not found.`);
    },
  };

  const payments = {
    async updatePaymentCollections(
      id: string,
      change: { readonly currency_code?: string; readonly metadata: Record<string, unknown> },
    ) {
      const collection = requireRow(
        tables.collections.find((one) => one.id === id),
        "collection",
      );
      collection.currencyCode = change.currency_code ?? "";
      collection.metadata = structuredClone(change.metadata);
    },
  };

  const notification = {
    async createNotifications({
      idempotency_key: key,
      data,
    }: {
      idempotency_key: string;
      data: { title: string; description: string };
    }) {
      if (!tables.notifications.some((notification) => notification.key === key))
        tables.notifications.push({ key, ...data });
    },
  };

  return {
    tables,
    providerCalls,
    container: {
      resolve(name) {
        if (name === "query") return query;
        if (name === "workflows") return workflows;
        if (name === "notification") return notification;
        if (name === "payment") return payments;
        throw new Error(`AwilixResolutionError: Could not resolve '${name}'.`);
      },
    },
    initiate,
    async changeTotal(cart, amount, currencyCode) {
      await underLock(cart.id, async () => {
        await deleteSessions(cart);
        const collection = requireRow(
          tables.collections.find(({ id }) => id === cart.collectionId),
          "collection",
        );
        collection.amount = amount;
        collection.currencyCode = currencyCode ?? collection.currencyCode;
      });
    },
    completeCart: (cart) => underLock(cart.id, () => completeLocked(cart)),
    refund,
    requestOutstandingAmount,
    markAsPaid,
    cancelOrder,
    failNextPaymentWrite() {
      failsNextPaymentWrite = true;
    },
  };
}

function notAllowed(message: string): Error {
  return Object.assign(new Error(message), { type: "not_allowed" });
}

function remove<Row>(rows: Row[], row: Row): void {
  const index = rows.indexOf(row);
  if (index !== -1) rows.splice(index, 1);
}
