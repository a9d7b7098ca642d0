import { type Clock, StoreError } from "@tillkit/core";
import { z } from "zod";
import { postJson } from "../graphql/post-json.ts";

export type OAuthApp = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Tokens that end after an hour and are renewed: what public apps must use. */
  readonly expiringTokens: boolean;
  /** `https://{shop}`, or the template of a simulator. */
  readonly originOf: (shop: string) => string;
};

/** What Shopify granted. `…In` in seconds; null: it does not end, and cannot be renewed. */
export type Grant = {
  readonly accessToken: string;
  readonly scope: string;
  readonly expiresIn: number | null;
  readonly refreshToken: string | null;
  readonly refreshExpiresIn: number | null;
};

export type GrantWish =
  | { readonly by: "code"; readonly code: string }
  | { readonly by: "session-token"; readonly token: string }
  | { readonly by: "refresh-token"; readonly token: string };

const grantSchema = z.object({
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
 * POST /admin/oauth/access_token of one shop.
 * @throws StoreError `reconnect` when Shopify refuses what was given, `unavailable` or `unknown` when it did not answer
 */
export async function requestGrant(app: OAuthApp, shop: string, wish: GrantWish, clock: Clock): Promise<Grant> {
  const body = { client_id: app.clientId, client_secret: app.clientSecret, ...fieldsOf(wish, app.expiringTokens) };
  const answer = await postJson({ url: `${app.originOf(shop)}/admin/oauth/access_token`, body, clock });
  if (answer.status === 429 || answer.status >= 500) {
    throw new StoreError("unavailable", `Shopify gives no token now (${answer.status}).`);
  }
  const granted = grantSchema.safeParse(answer.body);
  if (answer.status !== 200 || !granted.success) {
    throw new StoreError(
      "reconnect",
      `Shopify refused to give a token (${answer.status}): open the app in the shop again.`,
    );
  }
  const { access_token, scope, expires_in, refresh_token, refresh_token_expires_in } = granted.data;
  return {
    accessToken: access_token,
    scope,
    expiresIn: expires_in ?? null,
    refreshToken: refresh_token ?? null,
    refreshExpiresIn: refresh_token_expires_in ?? null,
  };
}

function fieldsOf(wish: GrantWish, expiring: boolean): Readonly<Record<string, string>> {
  const life = expiring ? { expiring: "1" } : {};
  switch (wish.by) {
    case "code":
      return { code: wish.code, ...life };
    case "session-token":
      return {
        grant_type: TOKEN_EXCHANGE,
        subject_token: wish.token,
        subject_token_type: ID_TOKEN,
        requested_token_type: OFFLINE,
        ...life,
      };
    case "refresh-token":
      return { grant_type: "refresh_token", refresh_token: wish.token };
  }
}
