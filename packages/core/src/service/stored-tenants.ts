import type { CheckoutError } from "../domain/checkout-error.ts";
import { evictOldest } from "../domain/evict-oldest.ts";
import type { Environment } from "../domain/order.ts";
import type { Clock } from "../ports/clock.ts";
import type {
  CredentialChange,
  CredentialConfig,
  CredentialKey,
  Credentials,
  KeptSecrets,
} from "../ports/credentials.ts";
import type { Service } from "../ports/service.ts";
import type { Tenants } from "../ports/tenants.ts";
import { createCredentialCache } from "./credential-cache.ts";
import {
  type CreateBudget,
  type CreateClient,
  clientOf,
  configurationError,
  mixedEndpointError,
  toEntry,
} from "./credential-config.ts";
import { serviceFromClient } from "./service-from-client.ts";
import { credentialOf, endpointOf, unknownCredentialError } from "./static-tenants.ts";

export type StoredTenantsOptions = {
  /** The ledger's credentials. */
  readonly credentials: Credentials;
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
   * of the same environment; those credentials stay, to read the payments that they opened. The webhook secrets `kept` are those
   * that are stored already: without any, the service's webhooks are refused.
   * @throws CheckoutError `configuration_invalid`
   */
  put(config: Omit<CredentialConfig, "webhookSecrets"> & KeptSecrets): Promise<string>;
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

/** Tenants whose credentials are stored in a ledger. Changes of other processes take effect within five seconds. */
export function createStoredTenants({ credentials, clock, createClient, budget }: StoredTenantsOptions): StoredTenants {
  const cache = createCredentialCache(credentials, clock);
  const services = new Map<string, { readonly key: CredentialKey; readonly service: Service }>();
  const newClient = (key: CredentialKey) => (createClient ? createClient(key) : clientOf(key, budget));

  return {
    credentialFor: async (storeId, environment) => credentialOf(await cache.find({ storeId }), storeId, environment),
    async service(credentialId) {
      const [key] = await cache.find({ id: credentialId });
      if (!key) throw unknownCredentialError();
      const cached = services.get(credentialId);
      if (cached && sameClient(cached.key, key)) return cached.service;
      const service = serviceFromClient(newClient(key), clock);
      services.set(credentialId, { key, service });
      evictOldest(services);
      return service;
    },
    endpoint: async (endpointId) => endpointOf(await cache.find({ endpointId })),
    async put(config) {
      const entry = toEntry(config);
      // Creating a client finds other mistakes, such as a URL without https, before the first payment.
      newClient({ ...entry, webhookSecrets: [] });
      const answer = await credentials.put(entry);
      if (answer === "other_key") throw otherKeyError(entry);
      if (answer === "mixed_endpoint") throw mixedEndpointError(entry.endpointId);
      cache.expire();
      return entry.id;
    },
    async remove(id) {
      await credentials.remove(id);
      cache.expire();
      services.delete(id);
    },
    async list(filter) {
      const entries = await credentials.list(filter);
      return entries.map(({ id, environment, storeIds, baseUrl, account, endpointId, webhookSecrets }) => {
        const shown = { id, environment, storeIds, baseUrl, account: account ?? null, endpointId };
        return { ...shown, webhookSecrets: webhookSecrets.length };
      });
    },
  };
}

/** Payments refer to their credential by id, so an id must keep its environment and account. */
function otherKeyError({ id }: CredentialChange): CheckoutError {
  return configurationError(
    `The id "${id}" belongs to a key of another environment or account: set a different id, or none.`,
  );
}

function sameClient(left: CredentialKey, right: CredentialKey): boolean {
  return left.apiKey === right.apiKey && left.baseUrl === right.baseUrl && left.account === right.account;
}
