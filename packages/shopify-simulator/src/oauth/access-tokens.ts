import { randomBytes } from "node:crypto";
import type { Clock } from "@tillkit/core";

/** The token response of Shopify. Times in seconds. */
export type TokenResponse = {
  readonly access_token: string;
  readonly scope: string;
  readonly expires_in?: number;
  readonly refresh_token?: string;
  readonly refresh_token_expires_in?: number;
};

/** `isExpiring`: the access token expires after an hour and comes with a refresh token. Otherwise it never expires. */
export type TokenOptions = { readonly isExpiring: boolean };

const ACCESS_SECONDS = 3_600;
const REFRESH_SECONDS = 90 * 24 * 3_600;
const CODE_MS = 10 * 60_000;

/**
 * Simulates how Shopify issues the codes, access tokens and refresh tokens of one shop. A code is valid once. A used refresh
 * token stays valid until its replacement is used, so that a lost response can be requested again.
 */
export type AccessTokens = {
  issueCode(scope: string): string;
  /** Null for a code that was never issued, was used, or has expired. */
  redeem(code: string, options: TokenOptions): TokenResponse | null;
  refresh(refreshToken: string): TokenResponse | null;
  /** Issues a token without a code. The caller has verified the session token that the app exchanges for it. */
  issue(scope: string, options: TokenOptions): TokenResponse;
  /** Exchanges a valid access token for an expiring one, and the old token becomes invalid. Null for an invalid token. */
  migrate(accessToken: string): TokenResponse | null;
  /** The scopes of a valid token, else null. */
  scopesOf(accessToken: string): readonly string[] | null;
  /** Makes all access tokens expire now. Refresh tokens stay valid. */
  expireAccess(): void;
  /** Makes all codes and tokens invalid, as an uninstall does. */
  revokeAll(): void;
  /** The number of answered refresh requests. */
  readonly refreshes: number;
};

type RefreshToken = { readonly scope: string; readonly expiresAt: number; readonly replaces: string | null };

export function createAccessTokens(clock: Clock): AccessTokens {
  const codes = new Map<string, { readonly scope: string; readonly issuedAt: number }>();
  const accessTokens = new Map<string, { readonly scope: string; readonly expiresAt: number }>();
  const refreshTokens = new Map<string, RefreshToken>();
  let refreshes = 0;

  function issue(scope: string, { isExpiring }: TokenOptions): TokenResponse {
    return isExpiring ? issueExpiring(scope, null) : issueLasting(scope);
  }

  function issueLasting(scope: string): TokenResponse {
    const accessToken = newAccessToken();
    accessTokens.set(accessToken, { scope, expiresAt: Number.POSITIVE_INFINITY });
    return { access_token: accessToken, scope };
  }

  /** `replaces`: the refresh token for which the new tokens are issued. */
  function issueExpiring(scope: string, replaces: string | null): TokenResponse {
    const accessToken = newAccessToken();
    const refreshToken = `shprt_${randomBytes(16).toString("hex")}`;
    accessTokens.set(accessToken, { scope, expiresAt: clock.now() + ACCESS_SECONDS * 1_000 });
    refreshTokens.set(refreshToken, { scope, expiresAt: clock.now() + REFRESH_SECONDS * 1_000, replaces });
    return {
      access_token: accessToken,
      scope,
      expires_in: ACCESS_SECONDS,
      refresh_token: refreshToken,
      refresh_token_expires_in: REFRESH_SECONDS,
    };
  }

  return {
    issue,
    issueCode(scope) {
      const code = randomBytes(16).toString("hex");
      codes.set(code, { scope, issuedAt: clock.now() });
      return code;
    },
    redeem(code, options) {
      const known = codes.get(code);
      codes.delete(code);
      if (!known || known.issuedAt + CODE_MS < clock.now()) return null;
      return issue(known.scope, options);
    },
    refresh(refreshToken) {
      const known = refreshTokens.get(refreshToken);
      if (!known || known.expiresAt <= clock.now()) return null;
      if (known.replaces !== null) refreshTokens.delete(known.replaces);
      // If an earlier response to this refresh token was lost, the refresh token in that response becomes invalid. The access
      // token in it stays valid until it expires.
      for (const [other, { replaces }] of refreshTokens) if (replaces === refreshToken) refreshTokens.delete(other);
      refreshes += 1;
      return issueExpiring(known.scope, refreshToken);
    },
    migrate(accessToken) {
      const known = accessTokens.get(accessToken);
      if (!known || known.expiresAt <= clock.now()) return null;
      accessTokens.delete(accessToken);
      return issueExpiring(known.scope, null);
    },
    scopesOf(accessToken) {
      const known = accessTokens.get(accessToken);
      return known && known.expiresAt > clock.now() ? known.scope.split(",") : null;
    },
    expireAccess: () => accessTokens.clear(),
    revokeAll() {
      codes.clear();
      accessTokens.clear();
      refreshTokens.clear();
    },
    get refreshes() {
      return refreshes;
    },
  };
}

function newAccessToken(): string {
  return `shpat_${randomBytes(16).toString("hex")}`;
}
