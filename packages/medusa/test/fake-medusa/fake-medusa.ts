import type { IPaymentProvider } from "@medusajs/framework/types";
import type { MedusaContainer } from "../../src/shop/medusa-container.ts";
import { createFakeQuery } from "./query.ts";
import { createFakeShop, type FakeCart, type FakePayment, type FakeSession, type FakeShop, mustHave } from "./shop.ts";

export const PROVIDER_ID = "pp_tillkit_tillkit";

/** Medusa's own provider: shops offer it as cash on delivery, and "Mark as paid" captures under it. */
const SYSTEM_PROVIDER_ID = "pp_system_default";

type Payable = Pick<FakeCart, "collectionId">;

/** What Medusa asks a provider; the rest of its interface is not called here. */
export type AskedProvider = Pick<
  IPaymentProvider,
  "initiatePayment" | "authorizePayment" | "cancelPayment" | "deletePayment" | "refundPayment"
>;

/**
 * A small Medusa in memory with the habits that were measured on a real one: it holds the cart's lock while it asks the
 * provider, makes the order before it asks for the payment, never compares amounts, deletes the sessions of a changed cart,
 * deletes its row of a refund that failed, and gives money back when a paid cart cannot be completed.
 */
export type FakeMedusa = {
  readonly shop: FakeShop;
  readonly container: MedusaContainer;
  /** How often each method of the provider was called. */
  readonly asked: Record<string, number>;
  initiate(cart: FakeCart, data?: Record<string, unknown>, providerId?: string): Promise<FakeSession>;
  /** The cart's total changes: its sessions are deleted. */
  changeTotal(cart: FakeCart, amount: string, currencyCode?: string): Promise<void>;
  /** `POST /store/carts/:id/complete`; answers the order's id. */
  completeCart(cart: FakeCart): Promise<string>;
  refund(payment: FakePayment, amount: string, note?: string): Promise<void>;
  /** The owner edits the order of a cart, and it costs more: a collection of its own, which the shopper can pay. */
  askForRest(cart: FakeCart, amount: string): Promise<FakeSession>;
  /** "Mark as paid" on an order's page: its sessions are deleted, and Medusa's own provider captures the whole amount. */
  markAsPaid(collectionId: string, by: string): Promise<FakePayment>;
  /** The order is canceled: what was not captured is canceled, and what was captured is given back. */
  cancelOrder(orderId: string): Promise<void>;
  /** The next payment row cannot be written, after the provider said yes. */
  failNextPaymentRow(): void;
  /** While true nothing can be read. */
  setDown(down: boolean): void;
};

export function createFakeMedusa(provider: AskedProvider): FakeMedusa {
  const shop = createFakeShop();
  const query = createFakeQuery(shop);
  const asked: Record<string, number> = {};
  const locks = new Map<string, Promise<unknown>>();
  let failsNextRow = false;
  let isDown = false;

  function ask<Name extends keyof AskedProvider>(
    name: Name,
    input: Parameters<AskedProvider[Name]>[0],
  ): ReturnType<AskedProvider[Name]> {
    asked[name] = (asked[name] ?? 0) + 1;
    const method = provider[name] as (given: unknown) => ReturnType<AskedProvider[Name]>;
    return method.call(provider, structuredClone(input));
  }

  async function underLock<Value>(cartId: string, work: () => Promise<Value>): Promise<Value> {
    const mine = (locks.get(cartId) ?? Promise.resolve()).then(work, work);
    locks.set(
      cartId,
      mine.catch(() => undefined),
    );
    return await mine;
  }

  async function initiate(cart: Payable, data: Record<string, unknown> = {}, providerId = PROVIDER_ID) {
    await deleteSessions(cart);
    const collection = mustHave(
      shop.collections.find(({ id }) => id === cart.collectionId),
      "collection",
    );
    const { id: collectionId, amount, currencyCode } = collection;
    const session: FakeSession = {
      id: shop.newId("payses"),
      collectionId,
      providerId,
      amount,
      status: "pending",
      data: { ...data },
    };
    shop.sessions.push(session);
    if (providerId !== PROVIDER_ID) return session;
    try {
      const answer = await ask("initiatePayment", {
        amount: Number(amount),
        currency_code: currencyCode,
        data: { ...data, session_id: session.id },
        context: { idempotency_key: session.id },
      });
      session.data = { ...data, ...answer.data };
      session.status = answer.status ?? "pending";
      return session;
    } catch (error) {
      remove(shop.sessions, session);
      throw error;
    }
  }

  async function deleteSessions(cart: Payable): Promise<void> {
    for (const session of shop.sessions.filter(({ collectionId }) => collectionId === cart.collectionId)) {
      if (session.providerId === PROVIDER_ID) await ask("deletePayment", { data: session.data });
      remove(shop.sessions, session);
    }
  }

  // One payment a session, and asking again answers the same one; never a look at the amount.
  async function authorize(session: FakeSession): Promise<FakePayment> {
    const known = shop.payments.find(({ sessionId }) => sessionId === session.id);
    if (known) return known;
    const context = { idempotency_key: session.id };
    const { status, data = {} } = await ask("authorizePayment", { data: session.data, context });
    session.data = data;
    if (status !== "captured") {
      session.status = status;
      throw notAllowed(`Session: ${session.id} was not authorized with the provider.`);
    }
    const payment: FakePayment = {
      id: shop.newId("pay"),
      sessionId: session.id,
      collectionId: session.collectionId,
      providerId: session.providerId,
      amount: session.amount,
      data,
      captures: 0,
      canceledAt: null,
      refunds: [],
    };
    if (failsNextRow || shop.payments.some(({ sessionId }) => sessionId === session.id)) {
      failsNextRow = false;
      await ask("cancelPayment", { data, context: {} });
      throw new Error("The payment could not be written.");
    }
    session.status = "authorized";
    payment.captures += 1;
    shop.payments.push(payment);
    return payment;
  }

  async function completeLocked(cart: FakeCart): Promise<string> {
    const order = shop.orders.find(({ cartId }) => cartId === cart.id);
    if (order) return order.id;
    const session = shop.sessions.find(({ collectionId }) => collectionId === cart.collectionId);
    if (!session) throw notAllowed("Payment sessions are required to complete cart");
    if (cart.isSoldOut) {
      await compensate(cart, session);
      throw notAllowed("Some variant does not have the required inventory");
    }
    // The order and its link to the cart come first, the payment last.
    const made = { id: shop.newId("order"), cartId: cart.id, displayId: shop.orders.length + 1, status: "pending" };
    shop.orders.push(made);
    try {
      await authorize(session);
      return made.id;
    } catch (error) {
      remove(shop.orders, made);
      throw error;
    }
  }

  // What Medusa does when a paid cart cannot become an order: gives back, begins anew with the old data, deletes.
  async function compensate(cart: FakeCart, session: FakeSession): Promise<void> {
    const payment = shop.payments.find(({ sessionId }) => sessionId === session.id);
    if (!payment) return;
    await refund(payment, payment.amount, "Refunded due to cart completion failure");
    await initiate(cart, session.data);
  }

  async function refund(payment: FakePayment, amount: string, note?: string): Promise<void> {
    const row = { id: shop.newId("ref"), amount, note: note ?? null };
    payment.refunds.push(row);
    // Medusa's own provider says yes, and moves no money.
    if (payment.providerId !== PROVIDER_ID) return;
    try {
      const answer = await ask("refundPayment", {
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
    const session = mustHave(
      shop.sessions.find(({ id }) => id === sessionId),
      "PaymentSession",
    );
    const cart = shop.carts.find(({ collectionId }) => collectionId === session.collectionId);
    if (!cart) return void (await authorize(session));
    await underLock(cart.id, () => authorize(session));
    // A cart that cannot be completed does not fail the workflow.
    await underLock(cart.id, () => completeLocked(cart)).catch(() => undefined);
  }

  async function askForRest(cart: FakeCart, amount: string): Promise<FakeSession> {
    const order = mustHave(
      shop.orders.find(({ cartId }) => cartId === cart.id),
      "order",
    );
    const [first] = shop.collections.filter(({ id }) => id === cart.collectionId);
    const restId = shop.newId("pay_col");
    const { currencyCode } = mustHave(first, "collection");
    shop.collections.push({ id: restId, currencyCode, amount, status: "not_paid", metadata: null });
    Object.assign(order, { restId });
    return await initiate({ collectionId: restId });
  }

  async function markAsPaid(collectionId: string, by: string): Promise<FakePayment> {
    const { id: sessionId, amount } = await initiate({ collectionId }, {}, SYSTEM_PROVIDER_ID);
    const facts = { sessionId, collectionId, providerId: SYSTEM_PROVIDER_ID, amount, data: {}, captures: 1 };
    const captured = { by, at: new Date() };
    const payment = { id: shop.newId("pay"), ...facts, captured, canceledAt: null, refunds: [] };
    shop.payments.push(payment);
    return payment;
  }

  async function cancelOrder(orderId: string): Promise<void> {
    const order = mustHave(
      shop.orders.find(({ id }) => id === orderId),
      "order",
    );
    const cart = shop.carts.find(({ id }) => id === order.cartId);
    const isIts = ({ collectionId }: Payable) => collectionId === cart?.collectionId || collectionId === order.restId;
    for (const payment of shop.payments.filter(isIts)) {
      if (payment.captures > 0) await refund(payment, payment.amount);
      else payment.canceledAt = new Date();
    }
    order.status = "canceled";
  }

  const workflows = {
    async run(workflowId: string, { input }: { readonly input: unknown }): Promise<unknown> {
      if (workflowId === "process-payment-workflow") {
        const { data } = input as { data: { session_id: string } };
        return await processPayment(data.session_id);
      }
      if (workflowId === "refund-payment-workflow") {
        const { payment_id: id, amount, note } = input as { payment_id: string; amount: number; note: string };
        const payment = mustHave(
          shop.payments.find((one) => one.id === id),
          "payment",
        );
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
      const collection = mustHave(
        shop.collections.find((one) => one.id === id),
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
      if (!shop.notices.some((notice) => notice.key === key)) shop.notices.push({ key, ...data });
    },
  };

  const down = () => {
    throw new Error("Connection terminated unexpectedly");
  };

  return {
    shop,
    asked,
    container: {
      resolve(name) {
        if (name === "query") return isDown ? { graph: async () => down() } : query;
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
        const collection = mustHave(
          shop.collections.find(({ id }) => id === cart.collectionId),
          "collection",
        );
        collection.amount = amount;
        collection.currencyCode = currencyCode ?? collection.currencyCode;
      });
    },
    completeCart: (cart) => underLock(cart.id, () => completeLocked(cart)),
    refund,
    askForRest,
    markAsPaid,
    cancelOrder,
    failNextPaymentRow() {
      failsNextRow = true;
    },
    setDown(down) {
      isDown = down;
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
