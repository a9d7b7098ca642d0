import { CheckoutError } from "@tillkit/core";
import type { VendureCheckout } from "./open-checkout.ts";

let current: VendureCheckout | null = null;

/** Vendure builds its handler and resolvers before the checkout is open, so they ask for it when they are called. */
export function setCurrentCheckout(checkout: VendureCheckout | null): void {
  current = checkout;
}

export function currentCheckout(): VendureCheckout | null {
  return current;
}

/** @throws CheckoutError `configuration_invalid` in a process that is not Vendure's server, such as its worker */
export function requireCheckout(): VendureCheckout {
  if (current) return current;
  const message = "Tillkit runs in Vendure's server only, and this process is its worker or is still starting.";
  throw new CheckoutError("configuration_invalid", message);
}
