import { createHash } from "node:crypto";
import { type Budget, createServiceClient, isLoopbackUrl, type ServiceClient } from "@tillkit/client";
import { CheckoutError } from "../domain/checkout-error.ts";
import type { Environment } from "../domain/order.ts";
import type { CredentialConfig, CredentialEntry, CredentialKey, KeptSecrets } from "../ports/credentials.ts";

export type CreateClient = (credential: CredentialKey) => ServiceClient;

/** Creates the call budget of a credential that several processes share. */
export type CreateBudget = (credentialId: string, environment: Environment) => Budget;

/** @throws CheckoutError `configuration_invalid`; its message names the first mistake */
export function toEntry<Config extends Omit<CredentialConfig, "webhookSecrets"> & KeptSecrets>(
  config: Config,
): Config & { readonly id: string; readonly environment: Environment } {
  const prefix = /^svc_sk_(test|live)_/.exec(config.apiKey);
  if (!prefix) {
    const hint = config.apiKey.startsWith("svc_pk_") ? "This is a publishable key. " : "";
    throw configurationError(`${hint}Set apiKey to a secret key: svc_sk_test_… or svc_sk_live_….`);
  }
  if (config.storeIds.length === 0) throw configurationError("Name at least one store in storeIds.");
  if (config.webhookSecrets !== "kept" && !areWebhookSecrets(config.webhookSecrets)) {
    throw configurationError(
      "Set webhookSecrets to the whsec_… secrets that the service showed when the endpoint was created.",
    );
  }
  if (!/^[\w-]{1,64}$/.test(config.endpointId)) {
    throw configurationError("endpointId is a part of a URL: 1 to 64 letters, digits, - or _.");
  }
  const environment = prefix[1] === "live" ? "live" : "test";
  return { ...config, id: config.id ?? idFromKey(config.apiKey), environment };
}

function areWebhookSecrets(secrets: readonly string[]): boolean {
  return secrets.length > 0 && secrets.every((secret) => secret.startsWith("whsec_"));
}

// A part of the digest tells the keys of one host apart, and nobody can compute the key from it.
function idFromKey(apiKey: string): string {
  const digest = createHash("sha256").update(apiKey).digest("hex");
  return `key_${digest.slice(0, 12)}`;
}

/** An endpoint must belong to one environment. @throws CheckoutError `configuration_invalid` */
export function assertEndpointsAreNotMixed(entries: readonly CredentialEntry[]): void {
  const mixed = entries.find(({ endpointId, environment }) =>
    entries.some((other) => other.endpointId === endpointId && other.environment !== environment),
  );
  if (mixed) throw mixedEndpointError(mixed.endpointId);
}

export function mixedEndpointError(endpointId: string): CheckoutError {
  return configurationError(`Endpoint "${endpointId}" would get test and live events: give each its own endpointId.`);
}

/** The client of a credential. A sandbox on this machine gets no shared budget. */
export function clientOf(
  { apiKey, baseUrl, account, id, environment }: CredentialKey,
  budget: CreateBudget | undefined,
): ServiceClient {
  const isShared = budget !== undefined && !isLoopbackUrl(baseUrl);
  return createServiceClient({ apiKey, baseUrl, account, ...(isShared ? { budget: budget(id, environment) } : {}) });
}

export function configurationError(message: string): CheckoutError {
  return new CheckoutError("configuration_invalid", message);
}
