import type { MedusaContainer } from "../../src/store/medusa-container.ts";
import { createCarts } from "./carts.ts";
import { createContainer } from "./container.ts";
import { createOrders } from "./orders.ts";
import { createPaymentSessions } from "./payment-sessions.ts";
import { createPayments, type RefundInMedusa } from "./payments.ts";
import { countCalls, type ProviderMethods } from "./provider.ts";
import { createFakeTables, type FakeCart, type FakePayment, type FakeSession, type FakeTables } from "./tables.ts";

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
  refund(payment: FakePayment, amount: string, request?: RefundInMedusa): Promise<void>;
  /** The owner edits an order and its total rises. Returns the payment session of a new collection for the difference. */
  requestOutstandingAmount(cart: FakeCart, amount: string): Promise<FakeSession>;
  /** "Mark as paid" on the order's page: deletes the sessions and captures the full amount with the manual provider. */
  markAsPaid(collectionId: string, by: string): Promise<FakePayment>;
  /** `POST /admin/orders/:id/cancel` without our middleware: a refund that was refused is only logged. */
  cancelOrder(orderId: string): Promise<void>;
  /** The next write of a payment row fails, after the provider reported it as captured. */
  failNextPaymentWrite(): void;
};

export function createFakeMedusa(providerMethods: ProviderMethods): FakeMedusa {
  const tables = createFakeTables();
  const provider = countCalls(providerMethods);
  const sessions = createPaymentSessions(tables, provider);
  const payments = createPayments(tables, provider, sessions);
  const carts = createCarts(tables, sessions, payments);
  const orders = createOrders(tables, sessions, payments);
  return {
    tables,
    providerCalls: provider.callCounts,
    container: createContainer(tables, { sessions, payments, carts }),
    initiate: sessions.initiate,
    changeTotal: carts.changeTotal,
    completeCart: carts.complete,
    refund: payments.refund,
    requestOutstandingAmount: orders.requestOutstandingAmount,
    markAsPaid: payments.markAsPaid,
    cancelOrder: orders.cancel,
    failNextPaymentWrite: payments.failNextWrite,
  };
}
