export { createShopifyApp, type ShopifyApp, type ShopifyAppOptions } from "./app/shopify-app.ts";
export { type InitOptions, initShopify } from "./commands/init-shopify.ts";
export { type RecoverOptions, recoverShopify } from "./commands/recover-shopify.ts";
export { type ServeOptions, serveShopify } from "./commands/serve-shopify.ts";
export { readShopifyConfig } from "./config/config.ts";
export type { ShopifyConfig, ShopifyConfigInput } from "./config/config-schema.ts";
export { examineShops, type ShopDiagnosis } from "./doctor/examine-shops.ts";
