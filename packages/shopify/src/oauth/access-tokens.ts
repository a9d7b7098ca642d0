import { type Clock, codeOf, type Log, type Records, StoreError } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";
import { type Grant, type OAuthApp, requestGrant } from "./token-request.ts";
import { canBeRenewed, createTokenRows, endsSoon, keptOf, type TokenRow } from "./token-rows.ts";

export type AccessTokens = {
  keep(shop: string, grant: Grant): Promise<void>;
  /** A token that is good now. @throws StoreError `reconnect`, `unavailable` */
  get(shop: string): Promise<string>;
  /** Another one, because Shopify refused this one. @throws StoreError `reconnect`, `unavailable` */
  instead(shop: string, refused: string): Promise<string>;
  has(shop: string): Promise<boolean>;
  /** Unless the owner granted it after `grantedBefore`, milliseconds since 1970. */
  forget(shop: string, grantedBefore: number): Promise<void>;
};

/**
 * Offline tokens of shops. One that is about to end is renewed by one process at a time; the new pair is kept before anybody
 * uses it, because from its first use on the old refresh token is worth nothing (a lost answer is asked for again before).
 */
export function createAccessTokens(options: {
  readonly secrets: Records;
  readonly app: OAuthApp;
  readonly clock: Clock;
  readonly log: Log;
}): AccessTokens {
  const { app, clock, log } = options;
  const rows = createTokenRows(options.secrets);
  const renewing = new Map<string, Promise<string>>();

  // One at a time in this process; `refused` is a token that must not be answered again.
  async function renew(shop: string, refused: string | null): Promise<string> {
    const underWay = renewing.get(shop) ?? renewAlone(shop, refused).finally(() => renewing.delete(shop));
    renewing.set(shop, underWay);
    const token = await underWay;
    // Whoever began it did not know that this one is refused.
    return token === refused ? await renew(shop, refused) : token;
  }

  // One at a time among all processes on this ledger: whoever puts its name into the row first.
  async function renewAlone(shop: string, refused: string | null): Promise<string> {
    const patience = clock.now() + shopifyLimits.renewLeaseMs;
    for (;;) {
      const token = await renewUnlessBusy(shop, refused);
      if (token !== null) return token;
      if (clock.now() >= patience) {
        throw new StoreError("unavailable", "Another process is renewing this shop's access token.");
      }
      await clock.sleep(shopifyLimits.renewLookMs);
    }
  }

  // Null: somebody else is at it.
  async function renewUnlessBusy(shop: string, refused: string | null): Promise<string | null> {
    const { kept, version } = await rows.get(shop);
    const now = clock.now();
    if (refused === null ? !endsSoon(kept, now) : kept.accessToken !== refused) return kept.accessToken;
    if (!canBeRenewed(kept, now)) throw notRenewable();
    if ((kept.renewingUntil ?? 0) > now) return null;
    const claimed = { ...kept, renewingUntil: now + shopifyLimits.renewLeaseMs };
    if ((await rows.put(shop, claimed, version)) === "stale") return null;
    return await exchange(shop, { kept: claimed, version: version + 1 });
  }

  async function exchange(shop: string, { kept, version }: TokenRow): Promise<string> {
    try {
      const wish = { by: "refresh-token", token: kept.refreshToken ?? "" } as const;
      const next = { ...keptOf(await requestGrant(app, shop, wish, clock), clock.now()), grantedAt: kept.grantedAt };
      // Installed again or uninstalled meanwhile: what stands there now is newer than what we were given.
      if ((await rows.put(shop, next, version)) === "stale") return (await rows.get(shop)).kept.accessToken;
      log.info("shopify.token_renewed", { storeId: shop });
      return next.accessToken;
    } catch (error) {
      await rows.put(shop, { ...kept, renewingUntil: null }, version);
      log.warn("shopify.token_not_renewed", { storeId: shop, code: codeOf(error) });
      throw error instanceof StoreError && error.code === "reconnect"
        ? error
        : new StoreError("unavailable", "Shopify did not renew the access token now.", { cause: error });
    }
  }

  return {
    async keep(shop, grant) {
      const next = keptOf(grant, clock.now());
      for (let round = 0; round < shopifyLimits.writeRounds; round += 1) {
        const expect = (await rows.find(shop))?.version ?? "new";
        if ((await rows.put(shop, next, expect)) === "done") return;
      }
      throw new StoreError(
        "unavailable",
        "This shop's access token is being changed elsewhere: try again in a moment.",
      );
    },
    async get(shop) {
      const { kept } = await rows.get(shop);
      if (!endsSoon(kept, clock.now())) return kept.accessToken;
      try {
        return await renew(shop, null);
      } catch (error) {
        // Until it ends it is good, whatever becomes of the next one.
        if ((kept.expiresAt ?? 0) > clock.now()) return kept.accessToken;
        throw error;
      }
    },
    instead: (shop, refused) => renew(shop, refused),
    has: async (shop) => (await rows.find(shop)) !== null,
    async forget(shop, grantedBefore) {
      for (let round = 0; round < shopifyLimits.writeRounds; round += 1) {
        const row = await rows.find(shop);
        if (!row || row.kept.grantedAt > grantedBefore || (await rows.remove(shop, row.version)) === "done") return;
      }
    },
  };
}

function notRenewable(): StoreError {
  return new StoreError(
    "reconnect",
    "Shopify refuses this shop's access token: its owner must open the app in the shop again.",
  );
}
