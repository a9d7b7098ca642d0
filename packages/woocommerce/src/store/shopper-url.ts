import { isPageOf } from "@tillkit/client";
import type { OrderRef, ShopperOutcome } from "@tillkit/core";
import { META } from "../protocol/names.ts";
import { metaOf, type WooOrder } from "./woo-order.ts";
import type { WooStore } from "./woo-store.ts";

/** The address to which the shopper returns: from the order's meta if it is on the shop's host, else the shop's front page. */
export async function shopperUrl(store: WooStore, ref: OrderRef, outcome: ShopperOutcome): Promise<string> {
  const order = await store.readOrder(ref);
  return order ? shopperUrlOf(order, store, outcome) : `${store.url}/`;
}

export function shopperUrlOf(order: WooOrder, store: Pick<WooStore, "url">, outcome: ShopperOutcome): string {
  const url = metaOf(order, outcome === "cancelled" ? META.cancelUrl : META.returnUrl);
  const fallback = outcome === "cancelled" ? (order.payment_url ?? "") : "";
  // Other plugins can write order meta. Redirects to other hosts are not allowed.
  return [url, fallback].find((candidate) => isPageOf(candidate, store.url)) ?? `${store.url}/`;
}
