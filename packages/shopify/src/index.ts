export { createShopifyApp, type ShopifyApp, type ShopifyAppOptions } from "./app/shopify-app.ts";
export { readShopifyConfig, type ShopifyConfig, type ShopifyConfigInput } from "./config/config.ts";
export { type InitOptions, initShopify } from "./serve/init-shopify.ts";
export { type RecoverOptions, recoverShopify } from "./serve/recover-shopify.ts";
export { type ServeOptions, serveShopify } from "./serve/serve-shopify.ts";
