export { recoverPrestaShop, servePrestaShop } from "./commands.ts";
export { type PrestaShopConfigInput, readPrestaShopConfig } from "./config.ts";
export { PRESTASHOP } from "./platform.ts";
export { createPrestaShopAdapter, type PrestaShopAdapterHost } from "./prestashop-adapter.ts";
export { SERVED_PRESTASHOP } from "./served-prestashop.ts";
