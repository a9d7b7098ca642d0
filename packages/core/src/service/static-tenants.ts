import type { Clock } from "../ports/clock.ts";
import type { CredentialConfig, CredentialEntry } from "../ports/credentials.ts";
import type { Service } from "../ports/service.ts";
import type { Tenants } from "../ports/tenants.ts";
import { systemClock } from "../system.ts";
import {
  assertEndpointsAreNotMixed,
  type CreateBudget,
  type CreateClient,
  clientOf,
  configurationError,
  toEntry,
} from "./credential-config.ts";
import { credentialOf, endpointOf, unknownCredentialError } from "./entries-as-tenants.ts";
import { serviceFromClient } from "./service-from-client.ts";

export type StaticTenantsOptions = {
  readonly credentials: readonly CredentialConfig[];
  readonly clock?: Clock;
  /** Replaces the default client: for proxies, other transports and tests. */
  readonly createClient?: CreateClient;
  /** The call budget of a credential. Default: a budget of this process alone. */
  readonly budget?: CreateBudget | undefined;
};

/** Tenants from a fixed configuration. @throws CheckoutError `configuration_invalid`; its message names the first mistake */
export function createTenants({
  credentials,
  clock = systemClock,
  createClient,
  budget,
}: StaticTenantsOptions): Tenants {
  const entries = credentials.map(toEntry);
  assertUnique(entries);
  const services = new Map<string, Service>(
    entries.map((entry) => [
      entry.id,
      serviceFromClient(createClient ? createClient(entry) : clientOf(entry, budget), clock),
    ]),
  );

  return {
    async credentialFor(storeId, environment) {
      const ofStore = entries.filter(({ storeIds }) => storeIds.includes(storeId));
      return credentialOf(ofStore, storeId, environment);
    },
    async service(credentialId) {
      const service = services.get(credentialId);
      if (!service) throw unknownCredentialError();
      return service;
    },
    endpoint: async (endpointId) => endpointOf(entries.filter((entry) => entry.endpointId === endpointId)),
  };
}

function assertUnique(entries: readonly CredentialEntry[]): void {
  const ids = new Set<string>();
  const storesWithKey = new Set<string>();
  for (const { storeIds, environment, id } of entries) {
    if (ids.has(id))
      throw configurationError(
        `Two credentials have the id "${id}": give each its own id. Without an id, the id is derived from the API key.`,
      );
    ids.add(id);
    for (const storeId of storeIds) {
      const key = `${storeId} ${environment}`;
      if (storesWithKey.has(key)) throw configurationError(`Store "${storeId}" has two ${environment} keys: keep one.`);
      storesWithKey.add(key);
    }
  }
  assertEndpointsAreNotMixed(entries);
}
