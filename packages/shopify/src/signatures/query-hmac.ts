import { createHmac } from "node:crypto";
import { shopifyLimits } from "../limits.ts";
import { readShopDomain } from "../shop/shop-domain.ts";
import { sameText } from "./same-text.ts";

export type QueryReading =
  | { readonly say: "valid"; readonly shop: string }
  | { readonly say: "bad_shop" | "forged" | "too_old" };

/**
 * The hex HMAC over a query string, as Shopify signs the links into an app and back from its grant page: without `hmac` and
 * `signature`, sorted by name.
 */
export function queryHmac(query: URLSearchParams, secret: string): string {
  const signed = [...query].filter(([name]) => name !== "hmac" && name !== "signature");
  signed.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return createHmac("sha256", secret).update(new URLSearchParams(signed).toString()).digest("hex");
}

/** Whose query it is, when Shopify signed it a moment ago. `now` in milliseconds since 1970. */
export function readSignedQuery(query: URLSearchParams, secret: string, now: number): QueryReading {
  const shop = readShopDomain(query.get("shop"));
  if (shop === null || query.getAll("shop").length > 1) return { say: "bad_shop" };
  const found = query.getAll("hmac");
  if (found.length !== 1 || !sameText(queryHmac(query, secret), String(found[0]))) return { say: "forged" };
  const timestamp = query.get("timestamp") ?? "";
  const isFresh = /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp) * 1_000) <= shopifyLimits.queryAgeMs;
  return isFresh ? { say: "valid", shop } : { say: "too_old" };
}
