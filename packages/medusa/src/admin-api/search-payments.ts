import type { Payment } from "@tillkit/core";
import { pluginLimits } from "../limits.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { queryOf } from "../store/medusa-container.ts";
import { readCollectionIds } from "../store/order.ts";
import { readField, readRows } from "../store/read-rows.ts";

/**
 * The payments that a text names: the id of a payment, checkout session, transaction, payment session, payment collection, cart or
 * order; an order's number, with or without `#`; or a customer's e-mail. Newest first, at most `pluginLimits.searchResults`.
 */
export async function searchPayments(runtime: CheckoutRuntime, text: string): Promise<readonly Payment[]> {
  const wanted = text.trim();
  if (wanted === "") return [];
  const { ledger, options } = runtime;
  const { storeId } = options;
  const keys = [{ id: wanted }, { sessionId: wanted }, { transactionId: wanted }, { attempt: wanted, storeId }];
  const direct = await Promise.all(keys.map((key) => ledger.find(key)));
  const collectionIds = await findCollectionIds(runtime, wanted);
  const ofOrders = await Promise.all(collectionIds.map((orderId) => ledger.paymentsOfOrder({ storeId, orderId })));
  const found = [...direct, ...ofOrders.flat()].filter((one) => one?.ref.storeId === storeId) as Payment[];
  const byId = new Map(found.map((payment) => [payment.id, payment]));
  return [...byId.values()]
    .sort((left, right) => right.createdAt - left.createdAt)
    .slice(0, pluginLimits.searchResults);
}

async function findCollectionIds({ container }: CheckoutRuntime, wanted: string): Promise<readonly string[]> {
  const query = queryOf(container);
  const ofCart = async (id: string) =>
    toList(await readField(query, "cart_payment_collection", "payment_collection_id", { cart_id: id }));
  if (wanted.startsWith("pay_col_")) return [wanted];
  if (wanted.startsWith("cart_")) return await ofCart(wanted);
  if (wanted.startsWith("order_")) return await readCollectionIds(container, wanted);
  const number = /^#?(\d{1,9})$/.exec(wanted)?.[1];
  if (number !== undefined) {
    const orderId = await readField(query, "order", "id", { display_id: Number(number) });
    return orderId === null ? [] : await readCollectionIds(container, orderId);
  }
  if (!wanted.includes("@")) return [];
  const carts = await readRows(query, "cart", ["id"], { email: wanted.toLowerCase() });
  const orders = await readRows(query, "order", ["id"], { email: wanted.toLowerCase() });
  const idsOf = (rows: readonly unknown[]) =>
    rows.slice(-pluginLimits.searchResults).map((row) => (row as { id: string }).id);
  const found = await Promise.all([
    ...idsOf(carts).map(ofCart),
    ...idsOf(orders).map((id) => readCollectionIds(container, id)),
  ]);
  return [...new Set(found.flat())];
}

function toList(id: string | null): readonly string[] {
  return id === null ? [] : [id];
}
