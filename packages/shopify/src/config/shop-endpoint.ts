import { addressFault, isLoopbackUrl } from "@tillkit/client";
import { readShopDomain } from "../shop-domain.ts";

const SHOPIFY = "https://{shop}";

/** `https://{shop}`, or an address of this machine with `{shop}` in its path. Tokens are sent to no other address. */
export function isShopEndpoint(template: string): boolean {
  if (template === SHOPIFY) return true;
  if (template.split("{shop}").length !== 2 || template.endsWith("/")) return false;
  const filled = template.replace("{shop}", "acme.myshopify.com");
  if (addressFault(filled, "base") !== null || !isLoopbackUrl(filled)) return false;
  return new URL(filled).pathname.includes("acme.myshopify.com");
}

/** Returns the function from a shop's domain to its base URL, which throws an Error for a name that is no shop domain. */
export function createShopUrl(endpoint: string): (domain: string) => string {
  return function shopUrl(domain) {
    if (readShopDomain(domain) !== domain) throw new Error("The name is not the domain of a Shopify shop.");
    return endpoint.replace("{shop}", domain);
  };
}
