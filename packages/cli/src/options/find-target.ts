import type { Ledger, OrderRef, Payment } from "@tillkit/core";
import { UsageError } from "../command-line/usage-error.ts";

/** What a person named: a payment, or an order with all its payments. */
export type Target = { readonly paymentId: string } | { readonly ref: OrderRef };

/** What the IDs of a payment, session and transaction look like, beside a UUID. */
const CODE = /^(?:cs|txn)_[A-Za-z0-9]+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The ID in the address of a page, such as the payment page of a session or a page of the operators; any other text as it is. */
export function idIn(text: string): string {
  const [, path] = /^https?:\/\/[^/]+\/([^?#]*)/i.exec(text) ?? [];
  if (path === undefined) return text;
  const parts = path.split("/").filter(Boolean).map(decode).reverse();
  return parts.find((part) => CODE.test(part) || UUID.test(part)) ?? parts[0] ?? text;
}

/** The payment with this ID, or of the session or transaction with this ID or code (`cs_…`, `txn_…`), or null. */
export async function findPaymentById(ledger: Ledger, id: string): Promise<Payment | null> {
  const keys = [{ id }, { sessionId: id }, { transactionId: id }, { sessionCode: id }, { transactionCode: id }];
  for (const key of keys) {
    const payment = await ledger.find(key);
    if (payment) return payment;
  }
  return null;
}

/**
 * What this text names: the ID or code of a payment, session or transaction, the address of its page, or the number of an order in
 * any store, or in this store.
 * @throws UsageError when several orders have the number
 */
export async function findTarget(ledger: Ledger, text: string, storeId?: string): Promise<Target> {
  if (storeId !== undefined) return { ref: await findOrder(ledger, storeId, text) };
  const id = idIn(text);
  const payment = await findPaymentById(ledger, id);
  if (payment) return { paymentId: payment.id };
  const orders = await findOrders(ledger, id);
  const [first, ...others] = orders;
  // Nothing has this ID, and `explainPayment` says so.
  if (first === undefined) return { paymentId: id };
  if (others.length === 0) return { ref: first };
  const stores = orders.map((order) => `${order.storeId} (order ${order.orderId})`).join(", ");
  throw new UsageError(`Several orders have the number ${id}: add --store with one of ${stores}.`);
}

/**
 * The order of this store with this ID or, on a platform that shows people a number instead of the ID, with this number. An order
 * that has no payment is returned as if the text were its ID.
 */
async function findOrder(ledger: Ledger, storeId: string, idOrNumber: string): Promise<OrderRef> {
  const ref = { storeId, orderId: idOrNumber };
  if ((await ledger.paymentsOfOrder(ref)).length > 0) return ref;
  const [first, ...others] = await findOrders(ledger, idOrNumber, storeId);
  if (first === undefined) return ref;
  if (others.length === 0) return first;
  const ids = [first, ...others].map(({ orderId }) => orderId).join(", ");
  throw new UsageError(
    `Several orders of ${storeId} have the number ${idOrNumber}: use the ID of one of them: ${ids}.`,
  );
}

/** People write the number of an order with and without the sign that their shop shows before it. */
async function findOrders(ledger: Ledger, number: string, storeId?: string): Promise<readonly OrderRef[]> {
  const { allPages } = await import("@tillkit/runtime");
  const store = storeId === undefined ? {} : { storeId };
  const orders = new Map<string, OrderRef>();
  for (const orderNumber of [number, number.startsWith("#") ? number.slice(1) : `#${number}`]) {
    for await (const payments of allPages((page) => ledger.listPayments({ ...store, orderNumber, ...page })))
      for (const { ref } of payments) orders.set(JSON.stringify([ref.storeId, ref.orderId]), ref);
    if (orders.size > 0) break;
  }
  return [...orders.values()];
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
