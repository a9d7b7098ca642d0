export { createWooShop, type SettleBy, type WooShop, type WooShopOptions } from "./adapter/woo-shop.ts";
export { createWooCommerceAdapter } from "./adapter/woocommerce-adapter.ts";
export {
  type CompanionOptions,
  createWooCommerceCompanion,
  type WooCommerceCompanion,
} from "./companion/companion.ts";
export {
  type CompanionConfig,
  type CompanionConfigInput,
  readCompanionConfig,
  type StoreConfig,
} from "./config/config.ts";
export { type Diagnosis, examineCompanion } from "./doctor/examine-companion.ts";
export { readCompanionConfigFile } from "./serve/read-config-file.ts";
export { type RecoverOptions, recoverWooCommerce } from "./serve/recover-woocommerce.ts";
export { type ServeOptions, serveWooCommerce } from "./serve/serve-woocommerce.ts";
