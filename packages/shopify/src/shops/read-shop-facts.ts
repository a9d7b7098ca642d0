import { codeOf } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { readShop } from "../operations/shop-operations.ts";

/**
 * Order mode: asks Shopify for the name of the shop, and whether it is a development store, whose orders are all tests. When Shopify
 * does not answer, the last answer stays. When a development store begins to sell, its unpaid orders become real orders, so that no
 * test payment pays them.
 */
export async function readShopFacts({ config, graphql, shops, log }: AppContext, shop: string): Promise<void> {
  if (config.app.mode !== "order") return;
  try {
    const { isDevelopment, profile } = await graphql.call(shop, readShop, {});
    const known = await shops.find(shop);
    if (!known) return;
    if (known.isDevelopment !== isDevelopment) log.info("shopify.plan_changed", { storeId: shop, isDevelopment });
    const isSame = known.name === profile.name && known.homeUrl === profile.homeUrl;
    if (known.isDevelopment !== isDevelopment || !isSame) await shops.update(shop, { isDevelopment, ...profile });
  } catch (error) {
    log.warn("shopify.plan_not_read", { storeId: shop, code: codeOf(error) });
  }
}
