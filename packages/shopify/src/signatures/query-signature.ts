import { createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";
import { shopifyLimits } from "../limits.ts";
import { readShopDomain } from "../shop-domain.ts";

export type QueryVerification =
  | { readonly status: "valid"; readonly shop: string }
  | { readonly status: "bad_shop" | "forged" | "too_old" };

/**
 * The HMAC with which Shopify signs a query string, in hexadecimal digits: over all parameters but `hmac` and `signature`,
 * sorted by name. Shopify signs the link that opens an app and the redirect from its grant page.
 */
export function queryHmac(query: URLSearchParams, secret: string): string {
  const signed = [...query].filter(([name]) => name !== "hmac" && name !== "signature");
  signed.sort(compareNames);
  return createHmac("sha256", secret).update(new URLSearchParams(signed).toString()).digest("hex");
}

/** By the characters' codes, as Shopify sorts, and not by the rules of a language. */
function compareNames([one]: readonly string[], [other]: readonly string[]): number {
  if (one === other) return 0;
  return (one ?? "") < (other ?? "") ? -1 : 1;
}

/** Checks the signature, the shop and the age of a query. `now` in milliseconds since 1970. */
export function verifyQuery(query: URLSearchParams, secret: string, now: number): QueryVerification {
  const shop = readShopDomain(query.get("shop"));
  if (shop === null || query.getAll("shop").length > 1) return { status: "bad_shop" };
  const [hmac = "", ...more] = query.getAll("hmac");
  if (more.length > 0 || !constantTimeEqual(queryHmac(query, secret), hmac)) return { status: "forged" };
  const timestamp = query.get("timestamp") ?? "";
  const ageMs = /^\d{1,12}$/.test(timestamp) ? Math.abs(now - Number(timestamp) * 1_000) : Number.POSITIVE_INFINITY;
  return ageMs <= shopifyLimits.queryMaxAgeMs ? { status: "valid", shop } : { status: "too_old" };
}
