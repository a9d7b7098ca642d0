import type { AppContext } from "../app-context.ts";
import { missingScopes } from "../config/scopes.ts";
import { requestToken, type TokenRequest } from "../shopify-api/request-token.ts";
import { retryDeadJobs } from "../shops/dead-jobs.ts";
import { readShopFacts } from "../shops/read-shop-facts.ts";
import { registerWebhooks } from "../shops/register-webhooks.ts";
import { reportReadiness } from "../shops/report-readiness.ts";

/**
 * Installs the app in a shop, or renews its access. The token is stored before the first step that can fail.
 * @returns the scopes that the owner did not grant; where one is missing, nothing is stored
 * @throws StoreError as requestToken does
 */
export async function installShop(
  context: AppContext,
  shop: string,
  request: TokenRequest,
): Promise<readonly string[]> {
  const { clock, log, shops, tokens, oauth, config, engine } = context;
  const token = await requestToken(oauth, shop, request, clock);
  const missing = missingScopes(config.app.mode, token.scope);
  if (missing.length > 0) return missing;
  await tokens.save(shop, token);
  await shops.install(shop, token.scope, clock.now());
  log.info("shopify.installed", { storeId: shop });
  await engine.storeBlocks.gaveSign(shop);
  await retryDeadJobs(context, shop);
  await reportReadiness(context, shop);
  await readShopFacts(context, shop);
  await registerWebhooks(context, shop);
  return [];
}
