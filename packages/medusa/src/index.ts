export type { MedusaAdapterOptions } from "./adapter/adapter-options.ts";
export { createMedusaAdapter } from "./adapter/medusa-adapter.ts";
export { type ResolvedOptions, readOptions, type TillkitOptions } from "./options/options.ts";
export type { PaymentData } from "./provider/payment-data.ts";
export type { MedusaContainer } from "./store/medusa-container.ts";
