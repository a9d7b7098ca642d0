import { createHmac } from "node:crypto";
import { z } from "zod";
import { shopifyLimits } from "../limits.ts";
import { readShopDomain } from "../shop/shop-domain.ts";
import { sameText } from "./same-text.ts";

const header = z.object({ alg: z.literal("HS256") });
const payload = z.object({
  iss: z.url(),
  dest: z.url(),
  aud: z.string(),
  exp: z.number(),
  nbf: z.number(),
});

export type SessionTokenApp = { readonly clientId: string; readonly clientSecret: string };

/**
 * The shop that a session token of Shopify's admin names; null when it is not Shopify's, not for this app, or not of now.
 * The algorithm is pinned: a token that asks for another one is refused.
 */
export function readSessionToken(
  token: string,
  { clientId, clientSecret }: SessionTokenApp,
  now: number,
): string | null {
  const [head, body, found, ...more] = token.split(".");
  if (head === undefined || body === undefined || found === undefined || more.length > 0) return null;
  if (!sameText(createHmac("sha256", clientSecret).update(`${head}.${body}`).digest("base64url"), found)) return null;
  const claims = payload.safeParse(json(body));
  if (!header.safeParse(json(head)).success || !claims.success) return null;
  const { iss, dest, aud, exp, nbf } = claims.data;
  const skew = shopifyLimits.tokenSkewMs;
  const isNow = nbf * 1_000 <= now + skew && exp * 1_000 > now - skew;
  const host = new URL(dest).hostname;
  return isNow && aud === clientId && new URL(iss).hostname === host ? readShopDomain(host) : null;
}

function json(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
