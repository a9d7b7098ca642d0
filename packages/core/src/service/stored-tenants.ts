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
import { credentialOf, endpointOf, notConfigured } from "./entries-as-tenants.ts";
import { serviceFromClient } from "./service-from-client.ts";

export type StoredTenantsOptions = {
  /** Of the ledger: sealed where they are kept. */
  readonly secrets: Records;
  readonly clock: Clock;
  /** For proxies, own transports and tests. */
  readonly createClient?: CreateClient;
  /** Calls that a credential may make; of this process alone unless set. */
  readonly budget?: CreateBudget | undefined;
};

/** Tenants whose credentials come and go while the program runs. */
export type StoredTenants = Tenants & {
  /**
   * Adds a credential, or changes the one of this id. A store that another credential of the same environment had is this
   * one's from now on; the other stays, without the store, and goes on reading the payments that it opened. Answers the id.
   * @throws CheckoutError `configuration_invalid`, and, worth another try: `ledger_busy`
   */
  put(config: CredentialConfig): Promise<string>;
  /** Nothing that it opened can be read any more: only for one without open payments. */
  remove(id: string): Promise<void>;
  list(): Promise<readonly StoredCredential[]>;
};

/** What may be shown of a credential. */
export type StoredCredential = {
  readonly id: string;
  readonly environment: Environment;
  /** None: it was replaced, and only goes on reading what it opened. */
  readonly storeIds: readonly string[];
  readonly baseUrl: string;
  readonly account: string | null;
  readonly endpointId: string;
  /** How many webhook secrets count. */
  readonly webhookSecrets: number;
};

/** Tenants from a ledger's secrets. What another process changes is seen within five seconds. */
export function createStoredTenants({ secrets, clock, createClient, budget }: StoredTenantsOptions): StoredTenants {
  const store = createCredentialStore(secrets, clock);
  const services = new Map<string, { readonly entry: CredentialEntry; readonly service: Service }>();

  return {
    credentialFor: async (storeId, environment) => credentialOf(await store.entries(), storeId, environment),
    async service(credentialId) {
      const entry = (await store.entries()).find(({ id }) => id === credentialId);
      if (!entry) throw notConfigured();
      const known = services.get(credentialId);
      if (known && sameClient(known.entry, entry)) return known.service;
      const client = createClient ? createClient(entry) : clientOf(entry, budget);
      const service = serviceFromClient(client, clock);
      services.set(credentialId, { entry, service });
      return service;
    },
    endpoint: async (endpointId) => endpointOf(await store.entries(), endpointId),
    async put(config) {
      const entry = toEntry(config);
      // What a client refuses, an address without https for example, is refused now and not at the first payment.
      if (createClient) createClient(entry);
      else clientOf(entry, budget);
      await store.put(entry);
      return entry.id;
    },
    async remove(id) {
      await store.remove(id);
      services.delete(id);
    },
    async list() {
      return (await store.entries()).map(
        ({ id, environment, storeIds, baseUrl, account, endpointId, webhookSecrets }) => {
          const shown = { id, environment, storeIds, baseUrl, account: account ?? null, endpointId };
          return { ...shown, webhookSecrets: webhookSecrets.length };
        },
      );
    },
  };
}

function sameClient(one: CredentialEntry, other: CredentialEntry): boolean {
  return one.apiKey === other.apiKey && one.baseUrl === other.baseUrl && one.account === other.account;
}
