import { type Clock, StoreError } from "@tillkit/core";
import { z } from "zod";
import { postJson } from "./post-json.ts";

export type OAuthApp = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Requests tokens that expire after an hour and can be renewed. Shopify requires them of public apps. */
  readonly expiringTokens: boolean;
  /** The base URL of a shop: `https://{shop}`, or its address in a simulator. */
  readonly shopUrl: (shop: string) => string;
};

/** An answer of Shopify's token endpoint. Null where the token does not expire and cannot be renewed. */
export type TokenResponse = {
  readonly accessToken: string;
  readonly scope: string;
  readonly expiresInSeconds: number | null;
  readonly refreshToken: string | null;
  readonly refreshExpiresInSeconds: number | null;
};

/** What is exchanged for a token: an authorization code, a session token of the embedded admin, or a refresh token. */
export type TokenRequest =
  | { readonly grant: "code"; readonly code: string }
  | { readonly grant: "session-token"; readonly token: string }
  | { readonly grant: "refresh-token"; readonly token: string };

const tokenSchema = z.object({
  access_token: z.string().min(1),
  scope: z.string().default(""),
  expires_in: z.number().positive().nullish(),
  refresh_token: z.string().min(1).nullish(),
  refresh_token_expires_in: z.number().positive().nullish(),
});

const OFFLINE = "urn:shopify:params:oauth:token-type:offline-access-token";
const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";

/**
 * Requests an offline access token: `POST /admin/oauth/access_token` of one shop.
 * @throws StoreError `reconnect` when Shopify refuses the request; `unavailable` when it answers 429 or 5xx, or when the request
 * was never sent (`postJson`); `unknown` when the request was sent and no complete answer arrived (`postJson`)
 */
export async function requestToken(
  app: OAuthApp,
  shop: string,
  request: TokenRequest,
  clock: Clock,
): Promise<TokenResponse> {
  const body = { client_id: app.clientId, client_secret: app.clientSecret, ...grantFields(request, app) };
  const response = await postJson({ url: `${app.shopUrl(shop)}/admin/oauth/access_token`, body, clock });
  if (response.status === 429 || response.status >= 500) {
    throw new StoreError("unavailable", `Shopify cannot issue a token at the moment (${response.status}).`);
  }
  const token = tokenSchema.safeParse(response.body);
  if (response.status !== 200 || !token.success) {
    throw new StoreError(
      "reconnect",
      `Shopify refused to issue a token (${response.status}): open the app in the shop again.`,
    );
  }
  const { access_token, scope, expires_in, refresh_token, refresh_token_expires_in } = token.data;
  return {
    accessToken: access_token,
    scope,
    expiresInSeconds: expires_in ?? null,
    refreshToken: refresh_token ?? null,
    refreshExpiresInSeconds: refresh_token_expires_in ?? null,
  };
}

function grantFields(request: TokenRequest, { expiringTokens }: OAuthApp): Readonly<Record<string, string>> {
  const expiring = expiringTokens ? { expiring: "1" } : {};
  switch (request.grant) {
    case "code":
      return { code: request.code, ...expiring };
    case "session-token":
      return {
        grant_type: TOKEN_EXCHANGE,
        subject_token: request.token,
        subject_token_type: ID_TOKEN,
        requested_token_type: OFFLINE,
        ...expiring,
      };
    case "refresh-token":
      return { grant_type: "refresh_token", refresh_token: request.token };
  }
}
