import { randomBytes } from "node:crypto";
import type { Clock } from "@tillkit/core";

/** What an app holds of one shop. Times in seconds. */
export type TokenAnswer = {
  readonly access_token: string;
  readonly scope: string;
  readonly expires_in?: number;
  readonly refresh_token?: string;
  readonly refresh_token_expires_in?: number;
};

const ACCESS_SECONDS = 3_600;
const REFRESH_SECONDS = 90 * 24 * 3_600;
const CODE_MS = 10 * 60_000;

/**
 * Codes, access tokens and refresh tokens of one shop. A code is good once. A refresh token that was used stays good until
 * the one that took its place is used, so that an answer that was lost can be asked for again.
 */
export type AccessTokens = {
  issueCode(scope: string): string;
  /** Null: the code was never issued, was used, or is too old. */
  redeem(code: string, expiring: boolean): TokenAnswer | null;
  refresh(refreshToken: string): TokenAnswer | null;
  /** For token exchange; an offline token that is exchanged ends. */
  issue(scope: string, expiring: boolean): TokenAnswer;
  migrate(accessToken: string): TokenAnswer | null;
  /** The scopes of a good token, null of any other. */
  scopesOf(accessToken: string): readonly string[] | null;
  /** Access tokens end now; refresh tokens stay good. */
  expireAccess(): void;
  /** Nothing of it is good any more: the app was uninstalled. */
  revokeAll(): void;
  /** How many refreshes were answered. */
  readonly refreshes: number;
};

type RefreshToken = { readonly scope: string; readonly expiresAt: number; readonly replaces: string | null };

export function createAccessTokens(clock: Clock): AccessTokens {
  const codes = new Map<string, { readonly scope: string; readonly issuedAt: number }>();
  const access = new Map<string, { readonly scope: string; readonly expiresAt: number }>();
  const refresh = new Map<string, RefreshToken>();
  let refreshes = 0;

  function issue(scope: string, expiring: boolean, replaces: string | null = null): TokenAnswer {
    const accessToken = `shpat_${randomBytes(16).toString("hex")}`;
    if (!expiring) {
      access.set(accessToken, { scope, expiresAt: Number.POSITIVE_INFINITY });
      return { access_token: accessToken, scope };
    }
    const refreshToken = `shprt_${randomBytes(16).toString("hex")}`;
    access.set(accessToken, { scope, expiresAt: clock.now() + ACCESS_SECONDS * 1_000 });
    refresh.set(refreshToken, { scope, expiresAt: clock.now() + REFRESH_SECONDS * 1_000, replaces });
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
    redeem(code, expiring) {
      const known = codes.get(code);
      codes.delete(code);
      if (!known || known.issuedAt + CODE_MS < clock.now()) return null;
      return issue(known.scope, expiring);
    },
    refresh(refreshToken) {
      const known = refresh.get(refreshToken);
      if (!known || known.expiresAt <= clock.now()) return null;
      if (known.replaces !== null) refresh.delete(known.replaces);
      // An earlier answer to this very token was lost: what it held is good no more.
      for (const [other, { replaces }] of refresh) if (replaces === refreshToken) refresh.delete(other);
      refreshes += 1;
      return issue(known.scope, true, refreshToken);
    },
    migrate(accessToken) {
      const known = access.get(accessToken);
      if (!known || known.expiresAt <= clock.now()) return null;
      access.delete(accessToken);
      return issue(known.scope, true);
    },
    scopesOf(accessToken) {
      const known = access.get(accessToken);
      return known && known.expiresAt > clock.now() ? known.scope.split(",") : null;
    },
    expireAccess: () => access.clear(),
    revokeAll() {
      codes.clear();
      access.clear();
      refresh.clear();
    },
    get refreshes() {
      return refreshes;
    },
  };
}
