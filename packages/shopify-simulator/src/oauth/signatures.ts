import { createHmac, randomBytes } from "node:crypto";

/**
 * Adds Shopify's signature to a query: the HMAC-SHA256, in hex, of the URL-encoded `key=value` pairs, sorted by key and joined
 * with `&`.
 */
export function signQuery(query: Readonly<Record<string, string>>, secret: string): URLSearchParams {
  const signed = new URLSearchParams(Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1)));
  signed.set("hmac", createHmac("sha256", secret).update(signed.toString()).digest("hex"));
  return signed;
}

/** The header `X-Shopify-Hmac-Sha256`: the HMAC-SHA256 of the body in base64. */
export function signWebhookBody(bytes: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(bytes).digest("base64");
}

/** A session token of the embedded admin: a JWT with HS256, valid for one minute. `now` in milliseconds since 1970. */
export function signSessionToken(claims: {
  readonly shop: string;
  readonly clientId: string;
  readonly secret: string;
  readonly now: number;
}): string {
  const { shop, clientId, secret, now } = claims;
  const seconds = Math.floor(now / 1_000);
  const body = {
    iss: `https://${shop}/admin`,
    dest: `https://${shop}`,
    aud: clientId,
    sub: "42",
    exp: seconds + 60,
    nbf: seconds,
    iat: seconds,
    jti: randomBytes(16).toString("hex"),
    sid: randomBytes(32).toString("hex"),
  };
  const text = [{ alg: "HS256", typ: "JWT" }, body].map((part) => base64url(JSON.stringify(part))).join(".");
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

function base64url(text: string): string {
  return Buffer.from(text).toString("base64url");
}
