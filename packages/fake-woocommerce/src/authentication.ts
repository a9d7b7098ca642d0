import { createHmac } from "node:crypto";
import { errorResponse, type ShopRequest, type ShopResponse } from "./messages.ts";

/**
 * The permissions of the user to whom a REST key belongs. `orders`: the user's role has only the capabilities of orders, and
 * `edit_others_posts`, which WooCommerce requires for batch calls.
 */
export type KeyRights = "orders" | "administrator" | "read-only";

export type RestKey = { readonly consumerKey: string; readonly consumerSecret: string };

/** Null for an accepted request, else the error response. */
export type Authentication = (request: ShopRequest) => ShopResponse | null;

const WINDOW_SECONDS = 15 * 60;

/**
 * WooCommerce's authentication over plain http: OAuth 1.0a with single-use nonces and a time window of 15 minutes. Basic
 * authentication and keys in the query are accepted over https only. `now`: the time of the shop's server in milliseconds since
 * 1970. It is not the simulated time of a test, because REST clients sign their requests with the time of the machine.
 */
export function createAuthentication(origin: string, key: RestKey, now: () => number): Authentication {
  const nonces = new Set<string>();

  return function authenticate(request) {
    const { query } = request;
    if (!query.has("oauth_consumer_key")) return NOT_LOGGED_IN;
    if (query.get("oauth_consumer_key") !== key.consumerKey) return unauthorized("Consumer key is invalid.");
    if (query.get("oauth_signature") !== signature(request, origin, key.consumerSecret)) {
      return unauthorized("Invalid signature - provided signature does not match.");
    }
    const timestamp = Number(query.get("oauth_timestamp"));
    const isInWindow = Math.abs(now() / 1_000 - timestamp) <= WINDOW_SECONDS;
    if (!isInWindow) return unauthorized("Invalid timestamp.");
    const nonce = query.get("oauth_nonce") ?? "";
    if (nonces.has(nonce)) return unauthorized("Invalid nonce - nonce has already been used.");
    nonces.add(nonce);
    return null;
  };
}

const NOT_LOGGED_IN = errorResponse(401, "woocommerce_rest_cannot_view", "Sorry, you cannot list resources.");

function unauthorized(message: string): ShopResponse {
  return errorResponse(401, "woocommerce_rest_authentication_error", message);
}

function signature({ method, path, query }: ShopRequest, origin: string, secret: string): string {
  const parameters = [...query]
    .filter(([name]) => name !== "oauth_signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const signatureBase = [method, encode(`${origin}/wp-json/${path}`), encode(parameters.join("&"))].join("&");
  return createHmac("sha256", `${secret}&`).update(signatureBase).digest("base64");
}

/** RFC 3986, as OAuth requires: `encodeURIComponent` leaves five more characters as they are. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
