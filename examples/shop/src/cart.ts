import type { Money } from "@tillkit/core";
import { CATALOGUE, findProduct, type Product } from "./catalogue.ts";

/** Product id → quantity. The cart is stored in the shopper's cookie, because the shop stores nothing about a visitor before an order. */
export type Cart = ReadonlyMap<string, number>;

export type CartLine = { readonly product: Product; readonly quantity: number };

/** The products that are paid together. One order has one currency. */
export type Basket = { readonly currency: string; readonly lines: readonly CartLine[]; readonly total: Money };

/** The maximum quantity per product, which also limits what a cookie can contain. */
const MAX_QUANTITY = 9;

/** Reads the cookie, `bissap:2.cafe:1`. Unknown products and invalid quantities are ignored, because anybody can write the cookie. */
export function readCart(cookie: string): Cart {
  const pairs = cookie.split(".", CATALOGUE.length).map((pair) => pair.split(":"));
  return new Map(
    pairs.flatMap(([id = "", quantity = ""]): [string, number][] =>
      findProduct(id) && /^[1-9]$/.test(quantity) ? [[id, Number(quantity)]] : [],
    ),
  );
}

export function writeCart(cart: Cart): string {
  return [...cart].map(([id, quantity]) => `${id}:${quantity}`).join(".");
}

/** A quantity of zero removes the product. */
export function withQuantity(cart: Cart, product: Product, quantity: number): Cart {
  const next = new Map(cart);
  if (quantity <= 0) next.delete(product.id);
  else next.set(product.id, Math.min(quantity, MAX_QUANTITY));
  return next;
}

export function withoutBasket(cart: Cart, basket: Basket): Cart {
  return new Map([...cart].filter(([id]) => basket.lines.every(({ product }) => product.id !== id)));
}

export function countItems(cart: Cart): number {
  return [...cart.values()].reduce((sum, quantity) => sum + quantity, 0);
}

export function basketsOf(cart: Cart): readonly Basket[] {
  const lines = CATALOGUE.flatMap((product) => {
    const quantity = cart.get(product.id);
    return quantity === undefined ? [] : [{ product, quantity }];
  });
  const currencies = [...new Set(lines.map(({ product }) => product.price.currency))];
  return currencies.map((currency) => {
    const linesInCurrency = lines.filter(({ product }) => product.price.currency === currency);
    const minor = linesInCurrency.reduce((sum, { product, quantity }) => sum + product.price.minor * quantity, 0);
    return { currency, lines: linesInCurrency, total: { minor, currency } };
  });
}
