import type { OrderRef, ShopperOutcome } from "@tillkit/core";
import { META } from "../protocol/names.ts";
import { metaOf, type WooOrder } from "./woo-order.ts";
import type { WooShop } from "./woo-shop.ts";

/** What the plugin wrote on the order, where it leads to the shop itself; otherwise the shop's front page. */
export async function buyerUrl(shop: WooShop, ref: OrderRef, outcome: ShopperOutcome): Promise<string> {
  const order = await shop.readOrder(ref);
  return order ? urlOn(order, shop, outcome) : `${shop.url}/`;
}

export function urlOn(order: WooOrder, shop: Pick<WooShop, "url">, outcome: ShopperOutcome): string {
  const wanted = metaOf(order, outcome === "cancelled" ? META.cancelUrl : META.returnUrl);
  const fallback = outcome === "cancelled" ? (order.payment_url ?? "") : "";
  return [wanted, fallback].find((url) => isOfShop(url, shop.url)) ?? `${shop.url}/`;
}

/** Meta of an order can be written by many: a shopper is sent nowhere but to the shop's own host. */
function isOfShop(url: string, shopUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, username, password } = new URL(url);
  return origin === new URL(shopUrl).origin && username === "" && password === "";
}
