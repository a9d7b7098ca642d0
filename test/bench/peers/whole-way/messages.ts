import type { CheckoutServerOptions } from "@tillkit/server";

/** The first message that a merchant's process gets. */
export type Credential = Exclude<CheckoutServerOptions["credentials"], "stored">[number];

/** `start`: an order number. */
export type MerchantRequest = { readonly start: number } | { readonly usage: true };

/** `opened`: pages to pay on. `paid`: numbers of orders that the store shows as paid. */
export type MerchantAnswer =
  | { readonly port: number }
  | { readonly opened: readonly string[] }
  | { readonly paid: readonly string[] }
  | Usage;

/** CPU time of all threads since the process started, and the process's memory. */
export type Usage = { readonly cpuMs: number; readonly rssMb: number };
