import {
  type Clock,
  type CreateClient,
  createStoredTenants,
  createTenants,
  type StoredTenants,
  type Tenants,
} from "@tillkit/core";
import { canList } from "@tillkit/runtime";
import type { CheckoutServerOptions } from "./checkout-options.ts";

/** Keys of the service that are added, changed and taken away while the program runs. */
export type StoredCredentials = Pick<StoredTenants, "put" | "remove" | "list">;

/** Whose keys: those of the configuration, or those that are sealed in the ledger. */
export function openTenants(
  { credentials, ledger }: CheckoutServerOptions,
  clock: Clock,
  createClient: CreateClient,
): { readonly tenants: Tenants; readonly storedCredentials: StoredCredentials | null } {
  if (credentials !== "stored" || !canList(ledger)) {
    const fixed = credentials === "stored" ? [] : credentials;
    return { tenants: createTenants({ credentials: fixed, clock, createClient }), storedCredentials: null };
  }
  const stored = createStoredTenants({ secrets: ledger.secrets, clock, createClient });
  return { tenants: stored, storedCredentials: stored };
}
