export { createWooCommerceAdapter } from "./adapter/woocommerce-adapter.ts";
export { type RecoverOptions, recoverWooCommerce } from "./commands/recover-woocommerce.ts";
export { type ServeOptions, serveWooCommerce } from "./commands/serve-woocommerce.ts";
export {
  type CompanionOptions,
  createWooCommerceCompanion,
  type WooCommerceCompanion,
} from "./companion/companion.ts";
export { readCompanionConfig, readCompanionConfigFile } from "./config/read-config.ts";
export type { CompanionConfig, CompanionConfigInput, StoreConfig } from "./config/schema.ts";
export type { Diagnosis } from "./doctor/diagnosis.ts";
export { examineCompanion } from "./doctor/examine-companion.ts";
export { createWooStore, type SettleBy, type WooStore, type WooStoreOptions } from "./store/woo-store.ts";
