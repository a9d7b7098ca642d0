export type { CheckoutServerOptions } from "./checkout-options.ts";
export { type CheckoutServer, createCheckoutServer } from "./checkout-server.ts";
export type { Health } from "./health.ts";
