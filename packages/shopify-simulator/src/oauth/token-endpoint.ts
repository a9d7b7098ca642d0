import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "@tillkit/core";
import type { SimulatorResponse } from "../http-server.ts";
import type { AccessTokens, TokenResponse } from "./access-tokens.ts";
import { signQuery } from "./signatures.ts";

export type ShopifyApp = { readonly clientId: string; readonly clientSecret: string };

/** The shop whose tokens are requested. */
export type TokenShop = {
  readonly app: ShopifyApp;
  readonly domain: string;
  readonly tokens: AccessTokens;
  readonly clock: Clock;
  /** The scopes of a managed installation, which uses no code. */
  readonly managedScope: string;
};

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";
const OFFLINE = "urn:shopify:params:oauth:token-type:offline-access-token";

/**
 * `POST /admin/oauth/access_token` of one shop: exchanges a code, refresh token, session token or old offline token.
 *
 * @param onInstalled receives the scopes of each issued token
 */
export function respondToTokenRequest(
  bytes: Uint8Array,
  shop: TokenShop,
  onInstalled: (scope: string) => void,
): SimulatorResponse {
  const body = readBody(bytes);
  if (!body) return refusal("invalid_request", "The request body is not valid.");
  if (body.client_id !== shop.app.clientId) {
    return refusal("application_cannot_be_found", "No application was found for that client_id.");
  }
  if (body.client_secret !== shop.app.clientSecret)
    return refusal("invalid_client", "The client secret is invalid.", 401);
  const answer = grantTokens(body, shop);
  if ("error" in answer) return refusal(answer.error, answer.description);
  onInstalled(answer.scope);
  return { status: 200, body: answer, headers: { "Cache-Control": "no-store" } };
}

/** The signed callback URL of the app after the merchant pressed Install. `now` in milliseconds since 1970. */
export function callbackUrl(
  redirectUri: string,
  callback: { readonly code: string; readonly shop: string; readonly state: string; readonly now: number },
  secret: string,
): string {
  const { code, shop, state, now } = callback;
  const host = Buffer.from(`${shop}/admin`).toString("base64url");
  const query = signQuery({ code, host, shop, state, timestamp: String(Math.floor(now / 1_000)) }, secret);
  return `${redirectUri}?${query}`;
}

type TokenRequest = Readonly<Record<string, string>>;
type TokenError = { readonly error: string; readonly description: string };

function grantTokens(body: TokenRequest, shop: TokenShop): TokenResponse | TokenError {
  const { tokens } = shop;
  const options = { isExpiring: body.expiring === "1" };
  if (body.grant_type === "refresh_token") return tokens.refresh(body.refresh_token ?? "") ?? INVALID_REFRESH_TOKEN;
  if (body.grant_type !== TOKEN_EXCHANGE) return tokens.redeem(body.code ?? "", options) ?? INVALID_CODE;
  if (body.requested_token_type !== OFFLINE) return NOT_OFFLINE;
  if (body.subject_token_type === OFFLINE) return tokens.migrate(body.subject_token ?? "") ?? INVALID_TOKEN;
  if (body.subject_token_type !== ID_TOKEN || !isSessionToken(body.subject_token ?? "", shop)) {
    return INVALID_SESSION_TOKEN;
  }
  return tokens.issue(shop.managedScope, options);
}

const INVALID_REFRESH_TOKEN: TokenError = {
  error: "invalid_grant",
  description: "The refresh token is invalid or expired.",
};
const NOT_OFFLINE: TokenError = { error: "invalid_request", description: "Only offline tokens are simulated." };
const INVALID_TOKEN: TokenError = { error: "invalid_subject_token", description: "The token is invalid." };
const INVALID_SESSION_TOKEN: TokenError = {
  error: "invalid_subject_token",
  description: "The session token is invalid or expired.",
};

const INVALID_CODE: TokenError = {
  error: "invalid_request",
  description: "The authorization code was not found or was already used",
};

function refusal(error: string, description: string, status = 400): SimulatorResponse {
  return { status, body: { error, error_description: description } };
}

// Shopify accepts JSON and forms.
function readBody(bytes: Uint8Array): TokenRequest | null {
  const text = Buffer.from(bytes).toString("utf8");
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, String(field)]));
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}

function isSessionToken(
  token: string,
  { app, domain, clock }: { readonly app: ShopifyApp; readonly domain: string; readonly clock: Clock },
): boolean {
  const [header = "", body = "", signature = ""] = token.split(".");
  const expected = createHmac("sha256", app.clientSecret).update(`${header}.${body}`).digest("base64url");
  // timingSafeEqual needs buffers of equal length, so it compares digests.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  if (!timingSafeEqual(digest(signature), digest(expected))) return false;
  const { aud, dest, exp } = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
  return aud === app.clientId && dest === `https://${domain}` && exp * 1_000 > clock.now();
}
