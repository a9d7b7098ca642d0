import { createHash } from "node:crypto";
import { type Budget, createServiceClient, isLoopbackUrl, type ServiceClient } from "@tillkit/client";
import { CheckoutError } from "../domain/checkout-error.ts";
import type { Environment } from "../domain/order.ts";

/** One API key of the service, the stores that use it, and the webhook endpoint that receives its events. */
export type CredentialConfig = {
  readonly storeIds: readonly string[];
  /** The secret key, `svc_sk_test_…` or `svc_sk_live_…`. The prefix decides the environment. */
  readonly apiKey: string;
  readonly baseUrl: string;
  /** The Member Account `acct_…`, needed only with an Operator's key. */
  readonly account?: string | undefined;
  /** The last segment of the webhook URL, `/hooks/service/{endpointId}`. */
  readonly endpointId: string;
  /** The secrets `whsec_…`. There are several while a secret is rotated. */
  readonly webhookSecrets: readonly string[];
  /**
   * The id that is stored with every payment. Set it if you rotate keys: a new key with the same id can read the old sessions.
   * Default: derived from the key.
   */
  readonly id?: string | undefined;
};

/** A validated configuration. */
export type CredentialEntry = CredentialConfig & { readonly id: string; readonly environment: Environment };

export type CreateClient = (credential: CredentialEntry) => ServiceClient;

/** Creates the call budget of a credential that several processes share. */
export type CreateBudget = (credentialId: string, environment: Environment) => Budget;

/** @throws CheckoutError `configuration_invalid`; its message names the first mistake */
export function toEntry(config: CredentialConfig): CredentialEntry {
  const prefix = /^svc_sk_(test|live)_/.exec(config.apiKey);
  if (!prefix) {
    const hint = config.apiKey.startsWith("svc_pk_") ? "This is a publishable key. " : "";
    throw configurationError(`${hint}Set apiKey to a secret key: svc_sk_test_… or svc_sk_live_….`);
  }
  if (config.storeIds.length === 0) throw configurationError("Name at least one store in storeIds.");
  if (config.webhookSecrets.length === 0 || config.webhookSecrets.some((secret) => !secret.startsWith("whsec_"))) {
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
  if (mixed) {
    throw configurationError(
      `Endpoint "${mixed.endpointId}" would get test and live events: give each its own endpointId.`,
    );
  }
}

/** The client of a credential. A sandbox on this machine gets no shared budget. */
export function clientOf(
  { apiKey, baseUrl, account, id, environment }: CredentialEntry,
  budget: CreateBudget | undefined,
): ServiceClient {
  const isShared = budget !== undefined && !isLoopbackUrl(baseUrl);
  return createServiceClient({ apiKey, baseUrl, account, ...(isShared ? { budget: budget(id, environment) } : {}) });
}

export function configurationError(message: string): CheckoutError {
  return new CheckoutError("configuration_invalid", message);
}
