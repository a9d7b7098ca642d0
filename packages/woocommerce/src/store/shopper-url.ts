import { isPageOf, parseUrl } from "@tillkit/client";
import type { OrderRef, ShopperOutcome } from "@tillkit/core";
import { META } from "../protocol/names.ts";
import { isSigned } from "../protocol/signature.ts";
import { metaOf, type WooOrder } from "./woo-order.ts";
import type { WooStore } from "./woo-store.ts";

/** The part of a store that decides about an address. */
type Shop = Pick<WooStore, "url" | "storeId" | "linkSecrets" | "log">;

/** The address to which the shopper returns: from the order's meta if it is the shop's own, else the shop's front page. */
export async function shopperUrl(store: WooStore, ref: OrderRef, outcome: ShopperOutcome): Promise<string> {
  const order = await store.readOrder(ref);
  return order ? shopperUrlOf(order, store, outcome) : `${store.url}/`;
}

export function shopperUrlOf(order: WooOrder, store: Shop, outcome: ShopperOutcome): string {
  const url = metaOf(order, outcome === "cancelled" ? META.cancelUrl : META.returnUrl);
  if (isOwnPage(url, order, store)) return url;
  if (url !== "") reportRefused(url, order, store);
  const fallback = outcome === "cancelled" ? (order.payment_url ?? "") : "";
  return isPageOf(fallback, store.url) ? fallback : `${store.url}/`;
}

/**
 * Other plugins can write order meta, and redirects to other sites are not allowed. A shop may have a domain for each language: such an
 * address is its own if the plugin signed it for this order.
 */
function isOwnPage(url: string, order: WooOrder, { url: shopUrl, storeId, linkSecrets }: Shop): boolean {
  if (isPageOf(url, shopUrl)) return true;
  const { protocol } = parseUrl(url) ?? {};
  if (protocol !== "https:" && protocol !== parseUrl(shopUrl)?.protocol) return false;
  const addresses = [metaOf(order, META.returnUrl), metaOf(order, META.cancelUrl)];
  const lines = ["tillkit v1 return", storeId, String(order.id), ...addresses];
  return isSigned(lines, metaOf(order, META.returnSignature), linkSecrets);
}

/** The origin alone: the path of a thank-you page has the order's key. */
function reportRefused(url: string, order: WooOrder, { storeId, log }: Shop): void {
  const origin = parseUrl(url)?.origin ?? "unreadable";
  log.warn("woo.return_address_refused", { storeId, orderId: String(order.id), origin });
}
