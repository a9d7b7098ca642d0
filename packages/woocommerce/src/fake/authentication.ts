import { createHmac } from "node:crypto";
import { type Answer, type Asked, refusal } from "./answer.ts";

/** What the owner of a REST key may do. `orders`: a role with the order capabilities and `edit_others_posts`, no more. */
export type KeyRights = "orders" | "administrator" | "read-only";

export type RestKey = { readonly consumerKey: string; readonly consumerSecret: string };

/** Null when the request is let in. */
export type Authentication = (asked: Asked) => Answer | null;

const WINDOW_SECONDS = 15 * 60;

/**
 * As WooCommerce does it over plain http: OAuth 1.0a with a nonce that counts once and a time window of 15 minutes. Basic is
 * for https only, and so are keys in the query. `now`: milliseconds since 1970; REST clients stamp by the machine's own clock.
 */
export function createAuthentication(origin: string, key: RestKey, now: () => number): Authentication {
  const nonces = new Set<string>();

  return function authenticate(asked) {
    const { query } = asked;
    if (!query.has("oauth_consumer_key")) return NOT_LOGGED_IN;
    if (query.get("oauth_consumer_key") !== key.consumerKey) return unauthorized("Consumer key is invalid.");
    if (query.get("oauth_signature") !== signature(asked, origin, key.consumerSecret)) {
      return unauthorized("Invalid signature - provided signature does not match.");
    }
    const apart = Math.abs(now() / 1_000 - Number(query.get("oauth_timestamp")));
    if (!(apart <= WINDOW_SECONDS)) return unauthorized("Invalid timestamp.");
    const nonce = query.get("oauth_nonce") ?? "";
    if (nonces.has(nonce)) return unauthorized("Invalid nonce - nonce has already been used.");
    nonces.add(nonce);
    return null;
  };
}

const NOT_LOGGED_IN = refusal(401, "woocommerce_rest_cannot_view", "Sorry, you cannot list resources.");

function unauthorized(message: string): Answer {
  return refusal(401, "woocommerce_rest_authentication_error", message);
}

function signature({ method, path, query }: Asked, origin: string, secret: string): string {
  const parameters = [...query]
    .filter(([name]) => name !== "oauth_signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const base = [method, encode(`${origin}/wp-json/${path}`), encode(parameters.join("&"))].join("&");
  return createHmac("sha256", `${secret}&`).update(base).digest("base64");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
