import { isPageOf, parseUrl } from "@tillkit/client";
import type { ShopperOutcome } from "@tillkit/core";
import type { BridgedOrder } from "../orders/bridged-order.ts";
import { isSigned } from "../signature.ts";
import type { BridgedStore } from "./bridged-store.ts";

/** The part of a store that decides about an address. */
type Shop = Pick<BridgedStore, "url" | "storeId" | "linkSecrets" | "platform" | "log">;

/** The addresses that the plugin stored with an order. */
type Addresses = Pick<BridgedOrder, "id" | "returnUrl" | "retryUrl" | "urlsSignature" | "payUrl">;

/** The address to which the shopper returns: the one of the order if it is the shop's own, else the shop's front page. */
export function shopperUrlOf(order: Addresses, store: Shop, outcome: ShopperOutcome): string {
  const url = outcome === "cancelled" ? order.retryUrl : order.returnUrl;
  if (isOwnPage(url, order, store)) return url;
  if (url !== "") reportRefused(url, order, store);
  const fallback = outcome === "cancelled" ? (order.payUrl ?? "") : "";
  return isPageOf(fallback, store.url) ? fallback : `${store.url}/`;
}

/** The origin alone: the path of a thank-you page has the order's key. */
function reportRefused(url: string, { id: orderId }: Addresses, { platform, storeId, log }: Shop): void {
  const origin = parseUrl(url)?.origin ?? "unreadable";
  log.warn(`${platform.prefix}.return_address_refused`, { storeId, orderId, origin });
}

/**
 * Other plugins can write the data of an order, and redirects to other sites are not allowed. A shop may have a domain for each language: such an
 * address is its own if the plugin signed it for this order.
 */
function isOwnPage(url: string, order: Addresses, { url: shopUrl, storeId, linkSecrets }: Shop): boolean {
  if (isPageOf(url, shopUrl)) return true;
  const { protocol } = parseUrl(url) ?? {};
  if (protocol !== "https:" && protocol !== parseUrl(shopUrl)?.protocol) return false;
  const lines = ["tillkit v1 return", storeId, order.id, order.returnUrl, order.retryUrl];
  return isSigned(lines, order.urlsSignature, linkSecrets);
}
