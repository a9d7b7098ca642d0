import type { Desk } from "../app/desk.ts";
import { missingScopes } from "../app/scopes.ts";
import { resumeShop } from "../owner/parked-work.ts";
import { tellReadiness } from "../owner/readiness.ts";
import { registerWebhooks } from "../webhooks/register-webhooks.ts";
import { type GrantWish, requestGrant } from "./token-request.ts";

/**
 * Installs the app in a shop, or renews what it was granted. The token is kept before anything else can fail.
 * @returns the scopes that are missing
 * @throws StoreError as requestGrant does
 */
export async function installShop(desk: Desk, shop: string, wish: GrantWish): Promise<readonly string[]> {
  const { clock, log, shops, tokens, oauth, config } = desk;
  const grant = await requestGrant(oauth, shop, wish, clock);
  const missing = missingScopes(config.app.mode, grant.scope);
  if (missing.length > 0) return missing;
  await tokens.keep(shop, grant);
  await shops.install(shop, grant.scope, clock.now());
  log.info("shopify.installed", { storeId: shop });
  await resumeShop(desk, shop);
  await tellReadiness(desk, shop);
  await registerWebhooks(desk, shop);
  return [];
}
