import { codeOf } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { readShopPlan } from "../operations/shop-operations.ts";

/**
 * Order mode: asks Shopify whether the shop is a development store, whose orders are all tests. When Shopify does not answer, the
 * last answer stays. The answer to a shop that begins to sell changes its unpaid orders to real ones, so that test money pays none.
 */
export async function readPlan({ config, graphql, shops, log }: AppContext, shop: string): Promise<void> {
  if (config.app.mode !== "order") return;
  try {
    const { partnerDevelopment: isDevelopment } = await graphql.call(shop, readShopPlan, {});
    const known = await shops.find(shop);
    if (known && known.isDevelopment !== isDevelopment) {
      await shops.update(shop, { isDevelopment });
      log.info("shopify.plan_changed", { storeId: shop, isDevelopment });
    }
  } catch (error) {
    log.warn("shopify.plan_not_read", { storeId: shop, code: codeOf(error) });
  }
}
