import { type Clock, type Log, StoreError } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { shopifyLimits } from "../limits.ts";
import { createTokenRenewal } from "./renew-token.ts";
import type { OAuthApp, TokenResponse } from "./request-token.ts";
import { createStoredTokens, expiresSoon, toStoredToken } from "./stored-tokens.ts";

/** The offline access tokens of the shops. */
export type AccessTokens = {
  save(shop: string, response: TokenResponse): Promise<void>;
  /** A token that has not expired. @throws StoreError `reconnect`, `unavailable` */
  get(shop: string): Promise<string>;
  /** A new token in place of the `refused` token. @throws StoreError `reconnect`, `unavailable` */
  replace(shop: string, refused: string): Promise<string>;
  /** Removes the token, except when the owner granted it after `grantedBefore`. Milliseconds since 1970. */
  remove(shop: string, grantedBefore: number): Promise<void>;
};

export function createAccessTokens(options: {
  readonly secrets: Records;
  readonly app: OAuthApp;
  readonly clock: Clock;
  readonly log: Log;
}): AccessTokens {
  const { clock } = options;
  const storedTokens = createStoredTokens(options.secrets);
  const renew = createTokenRenewal({ ...options, storedTokens });

  return {
    async save(shop, response) {
      const token = toStoredToken(response, clock.now());
      for (let attempt = 0; attempt < shopifyLimits.writeAttempts; attempt += 1) {
        const expectedVersion = (await storedTokens.find(shop))?.version ?? "new";
        if ((await storedTokens.put(shop, token, expectedVersion)) === "done") return;
      }
      throw new StoreError("unavailable", "Another process is changing this shop's access token. Try again.");
    },
    async get(shop) {
      const { token } = await storedTokens.get(shop);
      if (!expiresSoon(token, clock.now())) return token.accessToken;
      try {
        return await renew(shop, null);
      } catch (error) {
        // The token stays valid until it expires, even when its renewal failed.
        if ((token.expiresAt ?? 0) > clock.now()) return token.accessToken;
        throw error;
      }
    },
    replace: (shop, refused) => renew(shop, refused),
    async remove(shop, grantedBefore) {
      for (let attempt = 0; attempt < shopifyLimits.writeAttempts; attempt += 1) {
        const row = await storedTokens.find(shop);
        if (!row || row.token.grantedAt > grantedBefore) return;
        if ((await storedTokens.remove(shop, row.version)) === "done") return;
      }
    },
  };
}
