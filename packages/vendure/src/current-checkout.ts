import { CheckoutError } from "@tillkit/core";
import type { VendureCheckout } from "./open-checkout.ts";

// Vendure creates the payment handler and the resolvers before the checkout is open, so every call looks here for the checkout.
let current: VendureCheckout | null = null;

export function setCurrentCheckout(checkout: VendureCheckout | null): void {
  current = checkout;
}

export function currentCheckout(): VendureCheckout | null {
  return current;
}

/** @throws CheckoutError `configuration_invalid` in a process that is not Vendure's server, such as Vendure's worker */
export function requireCheckout(): VendureCheckout {
  if (current) return current;
  const message =
    "Tillkit runs only in Vendure's server. This process is Vendure's worker, or the server is still starting.";
  throw new CheckoutError("configuration_invalid", message);
}
