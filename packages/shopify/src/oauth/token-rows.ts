import { type Records, StoreError } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";
import type { Grant } from "./token-request.ts";

const KIND = "shopify-token";
const KEY = "offline";

/** Sealed in the ledger. Times in milliseconds since 1970; null: never. */
export type KeptToken = {
  readonly accessToken: string;
  readonly expiresAt: number | null;
  readonly refreshToken: string | null;
  readonly refreshEndsAt: number | null;
  /** When the owner granted it: renewing changes nothing about that. */
  readonly grantedAt: number;
  /** Somebody is renewing it until then. */
  readonly renewingUntil: number | null;
};

export type TokenRow = { readonly kept: KeptToken; readonly version: number };

export type TokenRows = {
  find(shop: string): Promise<TokenRow | null>;
  /** @throws StoreError `reconnect` */
  get(shop: string): Promise<TokenRow>;
  put(shop: string, kept: KeptToken, expect: number | "new"): Promise<"done" | "stale">;
  remove(shop: string, expect: number): Promise<"done" | "stale">;
};

export function createTokenRows(secrets: Records): TokenRows {
  async function find(shop: string): Promise<TokenRow | null> {
    const row = await secrets.get(shop, KIND, KEY);
    return row && { kept: row.value as KeptToken, version: row.version };
  }

  return {
    find,
    async get(shop) {
      const row = await find(shop);
      if (row) return row;
      throw new StoreError("reconnect", "This shop has no access token: open the app in the shop again.");
    },
    put: (shop, kept, expect) => secrets.put(shop, KIND, KEY, kept, expect),
    remove: (shop, expect) => secrets.remove(shop, KIND, KEY, expect),
  };
}

export function keptOf({ accessToken, expiresIn, refreshToken, refreshExpiresIn }: Grant, now: number): KeptToken {
  const end = (seconds: number | null) => (seconds === null ? null : now + seconds * 1_000);
  const [expiresAt, refreshEndsAt] = [end(expiresIn), end(refreshExpiresIn)];
  return { accessToken, expiresAt, refreshToken, refreshEndsAt, grantedAt: now, renewingUntil: null };
}

export function endsSoon({ expiresAt }: KeptToken, now: number): boolean {
  return expiresAt !== null && expiresAt - shopifyLimits.renewBeforeMs <= now;
}

export function canBeRenewed({ refreshToken, refreshEndsAt }: KeptToken, now: number): boolean {
  return refreshToken !== null && (refreshEndsAt ?? Number.POSITIVE_INFINITY) > now;
}
