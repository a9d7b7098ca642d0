import { describe, expect, it } from "vitest";
import { basketsOf, countItems, readCart, withoutBasket, withQuantity, writeCart } from "../src/cart.ts";
import { CATALOGUE, findProduct, type Product } from "../src/catalogue.ts";

const coffee = findProduct("cafe") as Product;

describe("the cart, which is a cookie that anybody can write", () => {
  it.each([
    ["an unknown product", "gold:1"],
    ["a negative quantity", "cafe:-3"],
    ["a quantity that is too large", "cafe:99999999"],
    ["half a piece", "cafe:0.5"],
    ["names of JavaScript's own properties", "__proto__:1.constructor:2"],
    ["no valid pair", "%%%…::..:"],
  ])("a cart cookie with %s is read as an empty cart", (_, cookie) => {
    expect(countItems(readCart(cookie))).toBe(0);
  });

  it("a cart cookie is read as it was written", () => {
    const cart = new Map(CATALOGUE.map(({ id }, index) => [id, (index % 9) + 1]));
    expect(readCart(writeCart(cart))).toEqual(cart);
  });

  it("a cart cookie never holds more products than the catalogue", () => {
    expect(countItems(readCart("cafe:1.".repeat(100_000)))).toBe(1);
  });

  it("the cart removes a product at quantity zero and holds at most nine pieces of it", () => {
    expect([...withQuantity(new Map([["cafe", 1]]), coffee, 0)]).toEqual([]);
    expect(withQuantity(new Map(), coffee, 12).get("cafe")).toBe(9);
  });
});

describe("baskets", () => {
  it("a basket never mixes francs and dollars, so two currencies make two orders", () => {
    const baskets = basketsOf(readCart("cafe:2.bissap:1.cadeau:1"));
    expect(baskets.map(({ total }) => total)).toEqual([
      { minor: 9_500, currency: "XOF" },
      { minor: 3_990, currency: "USD" },
    ]);
  });

  it("the cart keeps the products of the other currency when one currency is ordered", () => {
    const cart = readCart("cafe:2.cadeau:1");
    const [francs] = basketsOf(cart);
    expect(francs && writeCart(withoutBasket(cart, francs))).toBe("cadeau:1");
  });
});
