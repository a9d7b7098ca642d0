import { createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";
import { z } from "zod";
import { shopifyLimits } from "../limits.ts";
import { readShopDomain } from "../shop-domain.ts";

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
 * The shop of a session token (a JWT) of Shopify's admin. Null for a token that Shopify did not sign, that is for another app
 * or has expired, and for every algorithm but HS256.
 */
export function verifySessionToken(
  token: string,
  { clientId, clientSecret }: SessionTokenApp,
  now: number,
): string | null {
  const [head, body, signature, ...more] = token.split(".");
  if (head === undefined || body === undefined || signature === undefined || more.length > 0) return null;
  const expected = createHmac("sha256", clientSecret).update(`${head}.${body}`).digest("base64url");
  if (!constantTimeEqual(expected, signature)) return null;
  const claims = payload.safeParse(parseJson(body));
  if (!header.safeParse(parseJson(head)).success || !claims.success) return null;
  const { iss, dest, aud, exp, nbf } = claims.data;
  const skewMs = shopifyLimits.clockSkewMs;
  const isCurrent = nbf * 1_000 <= now + skewMs && exp * 1_000 > now - skewMs;
  const host = new URL(dest).hostname;
  return isCurrent && aud === clientId && new URL(iss).hostname === host ? readShopDomain(host) : null;
}

function parseJson(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
