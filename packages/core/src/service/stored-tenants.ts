import { evictOldest } from "../domain/evict-oldest.ts";
import type { Environment } from "../domain/order.ts";
import type { Clock } from "../ports/clock.ts";
import type { Records } from "../ports/records.ts";
import type { Service } from "../ports/service.ts";
import type { Tenants } from "../ports/tenants.ts";
import {
  type CreateBudget,
  type CreateClient,
  type CredentialConfig,
  type CredentialEntry,
  clientOf,
  toEntry,
} from "./credential-config.ts";
import { createCredentialStore } from "./credential-store.ts";
import { credentialOf, endpointOf, unknownCredentialError } from "./entries-as-tenants.ts";
import { serviceFromClient } from "./service-from-client.ts";

export type StoredTenantsOptions = {
  /** The ledger's encrypted records. */
  readonly secrets: Records;
  readonly clock: Clock;
  /** Replaces the default client: for proxies, other transports and tests. */
  readonly createClient?: CreateClient;
  /** The call budget of a credential. Default: a budget of this process alone. */
  readonly budget?: CreateBudget | undefined;
};

/** Tenants whose credentials can be added and removed while the program runs. */
export type StoredTenants = Tenants & {
  /**
   * Adds a credential, or changes the credential with this id, and returns the id. Its stores are removed from other credentials
   * of the same environment; those credentials stay, to read the payments that they opened.
   * @throws CheckoutError `configuration_invalid`, `ledger_busy` (retryable)
   */
  put(config: CredentialConfig): Promise<string>;
  /** Removes a credential. Its payments cannot be read afterwards, so remove only credentials without open payments. */
  remove(id: string): Promise<void>;
  /** All credentials, or those of one store. */
  list(filter?: { readonly storeId?: string }): Promise<readonly StoredCredential[]>;
};

/** The public part of a credential. */
export type StoredCredential = {
  readonly id: string;
  readonly environment: Environment;
  /** Empty: another credential has replaced this credential, which stays to read its payments. */
  readonly storeIds: readonly string[];
  readonly baseUrl: string;
  readonly account: string | null;
  readonly endpointId: string;
  /** The number of active webhook secrets. */
  readonly webhookSecrets: number;
};

/** Tenants whose credentials are stored in a ledger's secrets. Changes of other processes take effect within five seconds. */
export function createStoredTenants({ secrets, clock, createClient, budget }: StoredTenantsOptions): StoredTenants {
  const store = createCredentialStore(secrets, clock);
  const services = new Map<string, { readonly entry: CredentialEntry; readonly service: Service }>();
  const newClient = (entry: CredentialEntry) => (createClient ? createClient(entry) : clientOf(entry, budget));

  return {
    credentialFor: async (storeId, environment) => credentialOf(await store.ofStore(storeId), storeId, environment),
    async service(credentialId) {
      const entry = await store.byId(credentialId);
      if (!entry) throw unknownCredentialError();
      const cached = services.get(credentialId);
      if (cached && sameClient(cached.entry, entry)) return cached.service;
      const service = serviceFromClient(newClient(entry), clock);
      services.set(credentialId, { entry, service });
      evictOldest(services);
      return service;
    },
    endpoint: async (endpointId) => endpointOf(await store.ofEndpoint(endpointId), endpointId),
    async put(config) {
      const entry = toEntry(config);
      // Creating a client finds other mistakes, such as a URL without https, before the first payment.
      newClient(entry);
      await store.put(entry);
      return entry.id;
    },
    async remove(id) {
      await store.remove(id);
      services.delete(id);
    },
    async list({ storeId } = {}) {
      const entries = await (storeId === undefined ? store.all() : store.ofStore(storeId));
      return entries.map(({ id, environment, storeIds, baseUrl, account, endpointId, webhookSecrets }) => {
        const shown = { id, environment, storeIds, baseUrl, account: account ?? null, endpointId };
        return { ...shown, webhookSecrets: webhookSecrets.length };
      });
    },
  };
}

function sameClient(left: CredentialEntry, right: CredentialEntry): boolean {
  return left.apiKey === right.apiKey && left.baseUrl === right.baseUrl && left.account === right.account;
}
