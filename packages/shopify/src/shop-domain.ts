const SHOP_DOMAIN = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;
const LONGEST = 100;

/**
 * The permanent domain of a shop in lower case, or null for any other value. Every shop name from outside passes this check
 * before it becomes part of a URL, a ledger row or a log entry.
 */
export function readShopDomain(value: unknown): string | null {
  if (typeof value !== "string" || value.length > LONGEST) return null;
  const domain = value.toLowerCase().replace(/\/$/, "");
  return SHOP_DOMAIN.test(domain) ? domain : null;
}

/** `acme` of `acme.myshopify.com`. */
export function shopHandle(domain: string): string {
  return domain.slice(0, domain.indexOf("."));
}
