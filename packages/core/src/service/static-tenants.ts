import { createHash } from "node:crypto";
import { createServiceClient, type ServiceClient } from "@tillkit/client";
import { CheckoutError } from "../domain/checkout-error.ts";
import type { Environment } from "../domain/order.ts";
import type { Clock } from "../ports/clock.ts";
import type { Service } from "../ports/service.ts";
import type { Tenants, WebhookEndpoint } from "../ports/tenants.ts";
import { systemClock } from "../system/system.ts";
import { serviceFromClient } from "./service-from-client.ts";

/** One API key of the service, the stores that use it, and the webhook endpoint whose events are about it. */
export type CredentialConfig = {
  readonly storeIds: readonly string[];
  /** Secret key, `svc_sk_test_…` or `svc_sk_live_…`: the prefix decides the environment. */
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Member Account `acct_…` when the key is an Operator's. */
  readonly account?: string | undefined;
  /** The last part of the webhook URL, `/hooks/service/{endpointId}`. */
  readonly endpointId: string;
  /** `whsec_…`; several while a secret is rotated. */
  readonly webhookSecrets: readonly string[];
  /**
   * Kept with every payment. Name it when keys are to be rotated: the new key under the old name goes on reading old
   * sessions. Derived from the key unless set.
   */
  readonly id?: string | undefined;
};

type Entry = CredentialConfig & { readonly id: string; readonly environment: Environment };

export type StaticTenantsOptions = {
  readonly credentials: readonly CredentialConfig[];
  readonly clock?: Clock;
  /** For proxies, own transports and tests. */
  readonly createClient?: (credential: CredentialConfig) => ServiceClient;
};

/** Tenants from a fixed configuration. @throws CheckoutError `configuration_invalid` with one sentence for the first mistake */
export function createTenants({
  credentials,
  clock = systemClock,
  createClient = clientOf,
}: StaticTenantsOptions): Tenants {
  const entries = credentials.map(toEntry);
  assertOnce(entries);
  const services = new Map<string, Service>(
    entries.map((entry) => [entry.id, serviceFromClient(createClient(entry), clock)]),
  );

  return {
    async credentialFor(storeId, environment) {
      const own = entries.filter(({ storeIds }) => storeIds.includes(storeId));
      const found = own.find((entry) => entry.environment === environment);
      if (found) return { id: found.id, account: found.account ?? null };
      if (own.length === 0)
        throw new CheckoutError("store_not_known", `No API key is configured for store "${storeId}".`);
      const message = `Store "${storeId}" has no ${environment} key: configure one, or set the store to the key's mode.`;
      throw new CheckoutError("environment_differs", message);
    },
    async service(credentialId) {
      const service = services.get(credentialId);
      if (service) return service;
      const message =
        "The API key that opened this payment is no longer configured: add it again to finish open payments.";
      throw new CheckoutError("credential_not_known", message, { retryable: true });
    },
    async endpoint(endpointId) {
      return endpointOf(entries.filter((entry) => entry.endpointId === endpointId));
    },
  };
}

function toEntry(config: CredentialConfig): Entry {
  const prefix = /^svc_sk_(test|live)_/.exec(config.apiKey);
  if (!prefix) {
    const hint = config.apiKey.startsWith("svc_pk_") ? "This is a publishable key. " : "";
    throw invalid(`${hint}Set apiKey to a secret key: svc_sk_test_… or svc_sk_live_….`);
  }
  if (config.storeIds.length === 0) throw invalid("Name at least one store in storeIds.");
  if (config.webhookSecrets.length === 0 || config.webhookSecrets.some((secret) => !secret.startsWith("whsec_"))) {
    throw invalid("Set webhookSecrets to the whsec_… secrets that the service showed when the endpoint was created.");
  }
  if (!/^[\w-]{1,64}$/.test(config.endpointId)) {
    throw invalid("endpointId is a part of a URL: 1 to 64 letters, digits, - or _.");
  }
  const environment = prefix[1] === "live" ? "live" : "test";
  const id = config.id ?? `key_${createHash("sha256").update(config.apiKey).digest("hex").slice(0, 12)}`;
  return { ...config, id, environment };
}

function assertOnce(entries: readonly Entry[]): void {
  const seen = new Set<string>();
  for (const { storeIds, environment, id } of entries) {
    if (seen.has(id)) throw invalid(`Two credentials have the id "${id}".`);
    seen.add(id);
    for (const storeId of storeIds) {
      const key = `${storeId} ${environment}`;
      if (seen.has(key)) throw invalid(`Store "${storeId}" has two ${environment} keys: keep one.`);
      seen.add(key);
    }
  }
  const mixed = entries.find(({ endpointId, environment }) =>
    entries.some((other) => other.endpointId === endpointId && other.environment !== environment),
  );
  if (mixed)
    throw invalid(`Endpoint "${mixed.endpointId}" would get test and live events: give each its own endpointId.`);
}

function endpointOf(entries: readonly Entry[]): WebhookEndpoint | null {
  const [first] = entries;
  if (!first) return null;
  return {
    secrets: entries.flatMap(({ webhookSecrets }) => webhookSecrets),
    credentialIds: entries.map(({ id }) => id),
    environment: first.environment,
  };
}

function clientOf({ apiKey, baseUrl, account }: CredentialConfig): ServiceClient {
  return createServiceClient({ apiKey, baseUrl, account });
}

function invalid(message: string): CheckoutError {
  return new CheckoutError("configuration_invalid", message);
}
