export type { ResolvedOptions, Shop, TillkitOptions } from "./options/options.ts";
export { tillkitPaymentHandler } from "./payment-handler.ts";
export { TillkitPlugin } from "./plugin.ts";
export type { ShopServices } from "./shop-services.ts";
export { createVendureAdapter, type VendureAdapterOptions } from "./vendure-adapter.ts";
export { findServices, type VendureServices } from "./vendure-services.ts";
