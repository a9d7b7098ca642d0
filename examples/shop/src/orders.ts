import { randomBytes } from "node:crypto";
import { type Finding, findingKey, type Language, type Money, type Receipt } from "@tillkit/core";
import type { Basket } from "./cart.ts";
import type { OrderRow, ShopDatabase, ShopQueries } from "./shop-database.ts";

export type ShopOrder = {
  /** The order number for people, such as `1001`. It gives no access. */
  readonly id: string;
  /** The key of the order's page: 128 random bits in the shopper's link. */
  readonly key: string;
  readonly pickupName: string;
  readonly language: Language;
  readonly total: Money;
  readonly state: "open" | "paid" | "cancelled";
  readonly placedAt: number;
  readonly lines: readonly OrderLine[];
  readonly paymentId: string | null;
  readonly holds: readonly Finding[];
  /** The sum of the refunds that the shop knows of. */
  readonly refunded: Money;
  /** False when the stock has fewer pieces of a product than the order needs. */
  readonly inStock: boolean;
};

export type OrderLine = { readonly productId: string; readonly quantity: number; readonly price: Money };

type NewOrder = { key: string; pickupName: string; language: Language; basket: Basket; placedAt: number };

/** Places an order once for each key: a second press on the button, a reload or a repeated request changes nothing. */
export async function placeOrder(shop: ShopDatabase, order: NewOrder): Promise<void> {
  const { basket, key, pickupName, language, placedAt } = order;
  const { currency, minor } = basket.total;
  await shop.transaction(async (queries) => {
    const row = await queries
      .insertInto("orders")
      .values({
        key,
        pickup_name: pickupName,
        language,
        currency,
        total_minor: minor,
        state: "open",
        placed_at: placedAt,
      })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!row) return;
    const lines = basket.lines.map(({ product, quantity }) => ({
      order_id: row.id,
      product_id: product.id,
      quantity,
      price_minor: product.price.minor,
    }));
    await queries.insertInto("order_lines").values(lines).execute();
  });
}

export async function findOrder(queries: ShopQueries, by: { id: string } | { key: string }): Promise<ShopOrder | null> {
  const orders = queries.selectFrom("orders").selectAll();
  const query = "key" in by ? orders.where("key", "=", by.key) : orders.where("id", "=", orderNumber(by.id));
  const row = await query.executeTakeFirst();
  return row ? await loadOrder(queries, row) : null;
}

/** Newest first, for the owner's page. */
export async function listOrders(queries: ShopQueries, limit: number): Promise<readonly ShopOrder[]> {
  const rows = await queries.selectFrom("orders").selectAll().orderBy("id", "desc").limit(limit).execute();
  return await Promise.all(rows.map((row) => loadOrder(queries, row)));
}

/** Whether the text has the form of an order key. */
export function isOrderKey(text: string): boolean {
  return /^[\w-]{22}$/.test(text);
}

/** 128 random bits in 22 characters that are valid in a URL. */
export function newOrderKey(): string {
  return randomBytes(16).toString("base64url");
}

/** Whether the order has exactly the products of this basket. */
export function isOrderOf({ lines }: ShopOrder, basket: Basket): boolean {
  const isInBasket = (line: OrderLine) =>
    basket.lines.some(({ product, quantity }) => product.id === line.productId && quantity === line.quantity);
  return lines.length === basket.lines.length && lines.every(isInBasket);
}

/** Changes an unpaid order. Returns false if the order is no longer open. */
export async function changeOrder(
  queries: ShopQueries,
  id: string,
  change: { total: Money } | { state: "cancelled" },
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable("orders")
    .set("total" in change ? { total_minor: change.total.minor } : change)
    .where("id", "=", orderNumber(id))
    .where("state", "=", "open")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records the payment, sets the order to paid and reduces the stock. Use it inside a transaction after checking the order. */
export async function settleOrder(queries: ShopQueries, order: ShopOrder, receipt: Receipt, at: number): Promise<void> {
  const { paymentId, sessionId, transactionId } = receipt;
  const id = orderNumber(order.id);
  await queries
    .insertInto("order_payments")
    .values({ order_id: id, payment_id: paymentId, session_id: sessionId, transaction_id: transactionId, paid_at: at })
    .execute();
  await queries.updateTable("orders").set({ state: "paid" }).where("id", "=", id).execute();
  for (const { productId, quantity } of order.lines) {
    await queries
      .updateTable("stock")
      .set((expression) => ({ pieces: expression("pieces", "-", quantity) }))
      .where("product_id", "=", productId)
      .execute();
  }
}

/** Stores each refund once. Returns false for a refund that is stored already. */
export async function addRefund(
  queries: ShopQueries,
  { id }: ShopOrder,
  refund: { readonly refundId: string; readonly amount: Money; readonly at: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto("order_refunds")
    .values({
      refund_id: refund.refundId,
      order_id: orderNumber(id),
      amount_minor: refund.amount.minor,
      refunded_at: refund.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Stores each finding once. */
export async function holdOrder(queries: ShopQueries, { id }: ShopOrder, finding: Finding, at: number): Promise<void> {
  await queries
    .insertInto("order_holds")
    .values({ order_id: orderNumber(id), finding: findingKey(finding), held_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the stock by product id. */
export async function readStock(queries: ShopQueries): Promise<ReadonlyMap<string, number>> {
  const rows = await queries.selectFrom("stock").selectAll().execute();
  return new Map(rows.map((row) => [row.product_id, row.pieces]));
}

async function loadOrder(queries: ShopQueries, row: OrderRow): Promise<ShopOrder> {
  const lines = await queries.selectFrom("order_lines").selectAll().where("order_id", "=", row.id).execute();
  const payment = await queries
    .selectFrom("order_payments")
    .select("payment_id")
    .where("order_id", "=", row.id)
    .executeTakeFirst();
  const holds = await queries
    .selectFrom("order_holds")
    .select("finding")
    .where("order_id", "=", row.id)
    .orderBy("held_at")
    .execute();
  const refunds = await queries
    .selectFrom("order_refunds")
    .select("amount_minor")
    .where("order_id", "=", row.id)
    .execute();
  const stock = await readStock(queries);
  return {
    id: String(row.id),
    key: row.key,
    pickupName: row.pickup_name,
    language: row.language,
    total: { minor: row.total_minor, currency: row.currency },
    state: row.state,
    placedAt: row.placed_at,
    lines: lines.map(({ product_id, quantity, price_minor }) => ({
      productId: product_id,
      quantity,
      price: { minor: price_minor, currency: row.currency },
    })),
    paymentId: payment?.payment_id ?? null,
    holds: holds.map(({ finding }) => JSON.parse(finding) as Finding),
    refunded: { minor: refunds.reduce((sum, { amount_minor }) => sum + amount_minor, 0), currency: row.currency },
    inStock: lines.every((line) => (stock.get(line.product_id) ?? 0) >= line.quantity),
  };
}

/** The row id of an order. An invalid order number becomes -1, which no row has. */
function orderNumber(id: string): number {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : -1;
}
