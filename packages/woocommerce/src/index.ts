export { createWooCommerceAdapter } from "./adapter/woocommerce-adapter.ts";
export { recoverWooCommerce } from "./commands/recover-woocommerce.ts";
export { serveWooCommerce } from "./commands/serve-woocommerce.ts";
export { readWooCommerceConfig, readWooCommerceConfigFile } from "./config/read-config.ts";
export type { StoreConfig, WooCommerceConfig, WooCommerceConfigInput } from "./config/schema.ts";
export { examineWooCommerce } from "./doctor/examine-woocommerce.ts";
export {
  createWooCommerceServer,
  type WooCommerceServer,
  type WooCommerceServerOptions,
} from "./server/woocommerce-server.ts";
export { createWooStore, type WooStore, type WooStoreOptions, type WriteOrdersBy } from "./store/woo-store.ts";
