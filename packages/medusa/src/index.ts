export { createMedusaAdapter, type MedusaShop } from "./adapter/medusa-adapter.ts";
export { type ReadOptions, readOptions, type TillkitOptions } from "./options/options.ts";
export type { PaymentData } from "./provider/payment-data.ts";
export type { MedusaContainer } from "./shop/medusa-container.ts";
