import { randomBytes } from "node:crypto";
import type { Money, OrderRef } from "@tillkit/core";
import { CATALOGUE, type Product } from "../src/catalogue.ts";
import { changeOrder, findOrder, placeOrder, readStock } from "../src/orders.ts";
import { STORE_ID } from "../src/shop-adapter.ts";
import { openShopDatabase } from "../src/shop-database.ts";

type Placed = { readonly ref: OrderRef; readonly attempt: string };

/** The shop's database in memory, with the actions and the probes that the contract of adapters needs. */
export async function openTestShop() {
  const database = await openShopDatabase("sqlite::memory:");
  const { db } = database;
  const productOfOrder = new Map<string, Product>();

  // Every order buys another product, so that the stock shows which orders were paid, and how often.
  async function place({ total, language }: { total: Money; language: "fr" | "en" }): Promise<Placed> {
    const product = CATALOGUE[productOfOrder.size % CATALOGUE.length] as Product;
    const key = randomBytes(16).toString("base64url");
    const basket = { currency: total.currency, lines: [{ product, quantity: 1 }], total };
    await placeOrder(database, { key, pickupName: "Awa", language, basket, placedAt: 0 });
    const orderId = (await findOrder(db, { key }))?.id ?? "";
    productOfOrder.set(orderId, product);
    return { ref: { storeId: STORE_ID, orderId }, attempt: "" };
  }

  return {
    database,
    placeOrder: place,
    async editTotal(placed: Placed, total: Money) {
      await changeOrder(db, placed.ref.orderId, { total });
      return placed;
    },
    async makeUnpayable({ ref }: Placed) {
      await changeOrder(db, ref.orderId, { state: "cancelled" });
    },
    probe: {
      async timesPaid({ ref }: Placed) {
        const { id = "", stock = 0 } = productOfOrder.get(ref.orderId) ?? {};
        return stock - ((await readStock(db)).get(id) ?? 0);
      },
      async paidBy({ ref }: Placed) {
        const rows = await db.selectFrom("order_payments").selectAll().execute();
        return rows.find(({ order_id }) => String(order_id) === ref.orderId)?.payment_id ?? null;
      },
      async refunds({ ref }: Placed) {
        const order = await findOrder(db, { id: ref.orderId });
        const rows = await db.selectFrom("order_refunds").selectAll().orderBy("refund_id").execute();
        return rows
          .filter(({ order_id }) => String(order_id) === ref.orderId)
          .map(({ amount_minor }) => ({ minor: amount_minor, currency: order?.total.currency ?? "" }));
      },
      async holds({ ref }: Placed) {
        const rows = await db.selectFrom("order_holds").selectAll().execute();
        return rows.filter(({ order_id }) => String(order_id) === ref.orderId).map(({ finding }) => finding);
      },
    },
    unsupported: {
      titles: "a test cannot choose the title of a payment: this shop writes it from the order",
      secondAttempt: "an order has one attempt in this shop",
      payOutside: "this shop takes no other payments",
      network: "the shop's database is in the same process",
    },
    close: () => database.close(),
  };
}
