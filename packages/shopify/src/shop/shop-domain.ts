const SHOP = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;
const LONGEST = 100;

/**
 * A shop's permanent domain, in lower case, as it may stand in a URL; null for everything else. Nothing that comes from
 * outside becomes part of an address, a row or a log line before it went through here.
 */
export function readShopDomain(text: unknown): string | null {
  if (typeof text !== "string" || text.length > LONGEST) return null;
  const shop = text.toLowerCase().replace(/\/$/, "");
  return SHOP.test(shop) ? shop : null;
}

/** `acme` of `acme.myshopify.com`. */
export function shopHandle(shop: string): string {
  return shop.slice(0, shop.indexOf("."));
}
