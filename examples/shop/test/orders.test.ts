import type { Receipt } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Basket, basketsOf, readCart } from "../src/cart.ts";
import { changeOrder, findOrder, placeOrder, readStock, type ShopOrder } from "../src/orders.ts";
import { createShopAdapter, STORE_ID, toCheckoutOrder } from "../src/shop-adapter.ts";
import { openShopDatabase, type ShopDatabase } from "../src/shop-database.ts";

let shop: ShopDatabase;

beforeEach(async () => {
  shop = await openShopDatabase("sqlite::memory:");
});

afterEach(() => shop.close());

describe("placing an order", () => {
  it("pressing the order button twice makes one order", async () => {
    await Promise.all([place("a", "cafe:1"), place("a", "cafe:1")]);
    expect(await shop.db.selectFrom("orders").select("id").execute()).toHaveLength(1);
    expect((await order("a")).lines).toHaveLength(1);
  });

  it("an unpaid order takes no stock", async () => {
    await place("a", "pagne:1");
    expect((await readStock(shop.db)).get("pagne")).toBe(1);
  });

  it("order numbers start at 1001", async () => {
    await place("a", "cafe:1");
    expect((await order("a")).id).toBe("1001");
  });
});

describe("the last piece", () => {
  it("the last piece is sold to the first payment, and the other order can no longer be paid", async () => {
    await place("a", "pagne:1");
    await place("b", "pagne:1");
    const [first, second] = [await order("a"), await order("b")];
    expect([first, second].map((order) => toCheckoutOrder(order, "test").payable)).toEqual([true, true]);

    const answers = await Promise.all([pay(first), pay(second)]);
    expect(answers.map(({ outcome }) => outcome)).toEqual(["recorded", "not-payable"]);
    expect((await readStock(shop.db)).get("pagne")).toBe(0);
    expect(toCheckoutOrder(await order("b"), "test")).toMatchObject({ payable: false, paidBy: null });
  });

  it("an order with one sold-out product takes no stock of its other products", async () => {
    await place("a", "pagne:1");
    await place("b", "cafe:2.pagne:1");
    await pay(await order("a"));
    const coffeeBefore = (await readStock(shop.db)).get("cafe");
    expect((await pay(await order("b"))).outcome).toBe("not-payable");
    expect((await readStock(shop.db)).get("cafe")).toBe(coffeeBefore);
  });
});

describe("an order that its owner changed while it was being paid", () => {
  it("an order whose total was changed is not marked paid with the old amount", async () => {
    await place("a", "cafe:1");
    const before = await order("a");
    await changeOrder(shop.db, before.id, { total: { minor: 9_000, currency: "XOF" } });
    expect((await pay(before)).outcome).toBe("not-payable");
    expect((await order("a")).state).toBe("open");
  });

  it("a paid order can no longer be changed or cancelled", async () => {
    await place("a", "cafe:1");
    const placed = await order("a");
    await pay(placed);
    expect(await changeOrder(shop.db, placed.id, { total: { minor: 1, currency: "XOF" } })).toBe(false);
    expect(await changeOrder(shop.db, placed.id, { state: "cancelled" })).toBe(false);
    expect(await order("a")).toMatchObject({ state: "paid", total: placed.total });
  });
});

async function place(name: string, cart: string): Promise<void> {
  const basket = basketsOf(readCart(cart))[0] as Basket;
  await placeOrder(shop, { key: name, pickupName: "Awa", language: "fr", basket, placedAt: 0 });
}

async function order(name: string): Promise<ShopOrder> {
  return (await findOrder(shop.db, { key: name })) as ShopOrder;
}

function pay({ id, key, total }: ShopOrder) {
  const adapter = createShopAdapter(shop, { publicUrl: "http://localhost", environment: "test", now: () => 0 });
  const receipt: Receipt = {
    paymentId: `payment of ${key}`,
    ref: { storeId: STORE_ID, orderId: id },
    attempt: "",
    sessionId: `session of ${key}`,
    transactionId: null,
    paid: total,
    total,
    environment: "test",
    fence: 1,
  };
  return adapter.markPaid(receipt);
}
