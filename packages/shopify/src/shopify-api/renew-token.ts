import { type Clock, codeOf, type Log, limits, StoreError } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";
import { type OAuthApp, requestToken } from "./request-token.ts";
import { expiresSoon, isRenewable, type StoredTokens, type TokenRow, toStoredToken } from "./stored-tokens.ts";

/**
 * Returns the function that renews the access token of a shop. `refused` is a token that Shopify refused and that must not be
 * returned again. One renewal of a shop runs at a time: the callers in one process share it, and of all processes only the one
 * that holds the lease in the token's row renews.
 *
 * The new tokens are stored before they are used, because their first use invalidates the old refresh token. Until then a
 * renewal whose answer was lost can be repeated.
 */
export function createTokenRenewal(options: {
  readonly storedTokens: StoredTokens;
  readonly app: OAuthApp;
  readonly clock: Clock;
  readonly log: Log;
}): (shop: string, refused: string | null) => Promise<string> {
  const { storedTokens, app, clock, log } = options;
  const renewals = new Map<string, Promise<string>>();

  async function renew(shop: string, refused: string | null): Promise<string> {
    const renewal = renewals.get(shop) ?? renewUnderLease(shop, refused).finally(() => renewals.delete(shop));
    renewals.set(shop, renewal);
    const token = await renewal;
    // A renewal that another caller started may return the refused token.
    return token === refused ? await renew(shop, refused) : token;
  }

  async function renewUnderLease(shop: string, refused: string | null): Promise<string> {
    const waitUntil = clock.now() + shopifyLimits.renewLeaseMs;
    let token = await tryToRenew(shop, refused);
    while (token === null) {
      if (clock.now() >= waitUntil) {
        throw new StoreError("unavailable", "Another process is renewing this shop's access token.");
      }
      await clock.sleep(shopifyLimits.renewPollMs);
      token = await tryToRenew(shop, refused);
    }
    return token;
  }

  // Returns null while another process holds the lease.
  async function tryToRenew(shop: string, refused: string | null): Promise<string | null> {
    const { token, version } = await storedTokens.get(shop);
    const now = clock.now();
    const isUsable = refused === null ? !expiresSoon(token, now) : token.accessToken !== refused;
    if (isUsable) return token.accessToken;
    if (!isRenewable(token, now)) throw notRenewable();
    const leased = { ...token, renewingUntil: now + shopifyLimits.renewLeaseMs };
    const heldUntil = token.renewingUntil ?? 0;
    // A clock that was ahead gave a lease that ends too late: its holder keeps a whole one from now on.
    const isOfFuture = heldUntil > leased.renewingUntil + limits.clockSkewMs;
    if (heldUntil > now && !isOfFuture) return null;
    if ((await storedTokens.put(shop, leased, version)) === "stale" || isOfFuture) return null;
    return await refresh(shop, { token: leased, version: version + 1 });
  }

  async function refresh(shop: string, { token, version }: TokenRow): Promise<string> {
    try {
      const response = await requestToken(
        app,
        shop,
        { grant: "refresh-token", token: token.refreshToken ?? "" },
        clock,
      );
      const renewed = { ...toStoredToken(response, clock.now()), grantedAt: token.grantedAt };
      // The app was installed again or uninstalled meanwhile: the stored row is newer than our answer.
      if ((await storedTokens.put(shop, renewed, version)) === "stale") {
        return (await storedTokens.get(shop)).token.accessToken;
      }
      log.info("shopify.token_renewed", { storeId: shop });
      return renewed.accessToken;
    } catch (error) {
      await storedTokens.put(shop, { ...token, renewingUntil: null }, version);
      log.warn("shopify.token_renewal_failed", { storeId: shop, code: codeOf(error) });
      throw error instanceof StoreError && (error.code === "reconnect" || error.code === "owner")
        ? error
        : new StoreError("unavailable", "Shopify cannot renew the access token at the moment.", { cause: error });
    }
  }

  return renew;
}

function notRenewable(): StoreError {
  return new StoreError(
    "reconnect",
    "Shopify refuses this shop's access token: its owner must open the app in the shop again.",
  );
}
