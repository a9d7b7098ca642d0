import { CheckoutError } from "../domain/checkout-error.ts";
import type { Environment } from "../domain/order.ts";
import type { Clock } from "../ports/clock.ts";
import type { CredentialConfig, CredentialEntry, CredentialKey } from "../ports/credentials.ts";
import type { Service } from "../ports/service.ts";
import type { Credential, Tenants, WebhookEndpoint } from "../ports/tenants.ts";
import { systemClock } from "../system.ts";
import {
  assertEndpointsAreNotMixed,
  type CreateBudget,
  type CreateClient,
  clientOf,
  configurationError,
  toEntry,
} from "./credential-config.ts";
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

/** @throws CheckoutError `store_not_known`, `environment_differs` */
export function credentialOf(ofStore: readonly CredentialKey[], storeId: string, environment: Environment): Credential {
  const found = ofStore.find((entry) => entry.environment === environment);
  if (found) return { id: found.id, account: found.account ?? null };
  if (ofStore.length === 0) {
    throw new CheckoutError("store_not_known", `No API key is configured for store "${storeId}".`);
  }
  const message = `Store "${storeId}" has no ${environment} key: configure one, or set the store to the key's mode.`;
  throw new CheckoutError("environment_differs", message);
}

export function endpointOf(ofEndpoint: readonly CredentialKey[]): WebhookEndpoint | null {
  const [first] = ofEndpoint;
  if (!first) return null;
  return {
    secrets: ofEndpoint.flatMap(({ webhookSecrets }) => webhookSecrets),
    credentialIds: ofEndpoint.map(({ id }) => id),
    environment: first.environment,
  };
}

export function unknownCredentialError(): CheckoutError {
  const message = "The API key that opened this payment is no longer configured: add it again to finish open payments.";
  return new CheckoutError("credential_not_known", message);
}
