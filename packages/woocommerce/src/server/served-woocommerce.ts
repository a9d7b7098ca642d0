import { type AppContext, environmentOf, type ServedPlatform } from "@tillkit/php-bridge";
import { rawBodies } from "@tillkit/server";
import { Router } from "express";
import packageJson from "../../package.json" with { type: "json" };
import { createWooCommerceAdapter } from "../adapter/woocommerce-adapter.ts";
import type { StoreConfig } from "../config/schema.ts";
import { wooLimits } from "../limits.ts";
import { WOOCOMMERCE } from "../protocol/platform.ts";
import { createWooStore } from "../store/woo-store.ts";
import { handleOrderWebhook } from "./handle-order-webhook.ts";
import { createWooConnection } from "./woo-connection.ts";

/** WooCommerce, as the checkout server of PHP shops serves it. Its configuration was read with `configSchema` of this package. */
export const SERVED_WOOCOMMERCE: ServedPlatform = {
  ...WOOCOMMERCE,
  version: packageJson.version,
  connect(config, { clock, log, transport, readMoney }) {
    const options = { ...(config as StoreConfig), storeId: config.id, environment: environmentOf(config) };
    const store = createWooStore({ ...options, clock, log, transport });
    const adapter = createWooCommerceAdapter(store, readMoney);
    return { connection: createWooConnection(store, adapter), adapter };
  },
  settingsPage: (url) => `${url}/wp-admin/admin.php?page=wc-settings&tab=checkout&section=tillkit`,
  hasOwnKey: (config) => (config as Partial<StoreConfig>).consumerKey !== undefined,
  ownSettings: { writeOrdersBy: "plugin" },
  routes(context: AppContext) {
    const router = Router({ strict: true, caseSensitive: true });
    const body = rawBodies(wooLimits.shopWebhookBytes, context.clock);
    router.post("/hooks/woo/:storeId", body, (request, response) => handleOrderWebhook(context, request, response));
    return router;
  },
};
