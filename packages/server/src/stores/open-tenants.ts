import type { Clock, CredentialConfig, PaymentLedger } from "@tillkit/core";
import {
  type CreateClient,
  createStoredTenants,
  createTenants,
  type StoredTenants,
  type Tenants,
} from "@tillkit/core/hosts";
import { canList } from "@tillkit/runtime";

/** Keys of the service that are added, changed and removed while the program runs. */
export type StoredCredentials = Pick<StoredTenants, "put" | "remove" | "list">;

export type TenantsOptions = {
  /** The keys themselves, or `stored` for keys that are encrypted in the ledger. */
  readonly credentials: readonly CredentialConfig[] | "stored";
  readonly ledger: PaymentLedger;
  readonly clock: Clock;
  readonly createClient: CreateClient;
};

/** The ids of the webhook endpoints that are configured. */
export async function endpointIdsOf(
  credentials: TenantsOptions["credentials"],
  storedCredentials: StoredCredentials | null,
): Promise<readonly string[]> {
  const all = credentials === "stored" ? ((await storedCredentials?.list()) ?? []) : credentials;
  return [...new Set(all.map(({ endpointId }) => endpointId))];
}

/** The address to which the service sends the webhooks of an endpoint. */
export function endpointUrl(publicUrl: string, endpointId: string): string {
  return `${publicUrl}/hooks/service/${encodeURIComponent(endpointId)}`;
}

export function openTenants({ credentials, ledger, clock, createClient }: TenantsOptions): {
  readonly tenants: Tenants;
  readonly storedCredentials: StoredCredentials | null;
} {
  // A ledger that can list its rows also stores credentials.
  if (credentials === "stored" && canList(ledger)) {
    const stored = createStoredTenants({ credentials: ledger.credentials, clock, createClient });
    return { tenants: stored, storedCredentials: stored };
  }
  // For any other ledger `validateOptions` has refused "stored", so the empty list below is only for the types.
  const fixed = credentials === "stored" ? [] : credentials;
  return { tenants: createTenants({ credentials: fixed, clock, createClient }), storedCredentials: null };
}
