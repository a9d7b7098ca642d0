import { StoreError } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { shopifyLimits } from "../limits.ts";
import type { TokenResponse } from "./request-token.ts";

const KIND = "shopify-token";
const KEY = "offline";

/** The tokens of one shop as the ledger stores them, encrypted. Times in milliseconds since 1970; null: never. */
export type StoredToken = {
  readonly accessToken: string;
  readonly expiresAt: number | null;
  readonly refreshToken: string | null;
  readonly refreshExpiresAt: number | null;
  /** When the owner granted access. A renewal does not change it. */
  readonly grantedAt: number;
  /** The end of the lease of the process that renews the token. */
  readonly renewingUntil: number | null;
};

export type TokenRow = { readonly token: StoredToken; readonly version: number };

export type StoredTokens = {
  find(shop: string): Promise<TokenRow | null>;
  /** @throws StoreError `owner` when the shop has no token: it has left, and Shopify need not be asked */
  get(shop: string): Promise<TokenRow>;
  put(shop: string, token: StoredToken, expectedVersion: number | "new"): Promise<"done" | "stale">;
  remove(shop: string, expectedVersion: number): Promise<"done" | "stale">;
};

export function createStoredTokens(secrets: Records): StoredTokens {
  async function find(shop: string): Promise<TokenRow | null> {
    const row = await secrets.get(shop, KIND, KEY);
    return row && { token: row.value as StoredToken, version: row.version };
  }

  return {
    find,
    async get(shop) {
      const row = await find(shop);
      if (row) return row;
      throw new StoreError("owner", "This shop has no access token: open the app in the shop again.");
    },
    put: (shop, token, expectedVersion) => secrets.put(shop, KIND, KEY, token, expectedVersion),
    remove: (shop, expectedVersion) => secrets.remove(shop, KIND, KEY, expectedVersion),
  };
}

export function toStoredToken(response: TokenResponse, now: number): StoredToken {
  const endOf = (seconds: number | null) => (seconds === null ? null : now + seconds * 1_000);
  return {
    accessToken: response.accessToken,
    expiresAt: endOf(response.expiresInSeconds),
    refreshToken: response.refreshToken,
    refreshExpiresAt: endOf(response.refreshExpiresInSeconds),
    grantedAt: now,
    renewingUntil: null,
  };
}

export function expiresSoon({ expiresAt }: StoredToken, now: number): boolean {
  return expiresAt !== null && expiresAt - shopifyLimits.renewBeforeMs <= now;
}

export function isRenewable({ refreshToken, refreshExpiresAt }: StoredToken, now: number): boolean {
  return refreshToken !== null && (refreshExpiresAt ?? Number.POSITIVE_INFINITY) > now;
}
