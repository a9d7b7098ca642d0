import type { CredentialConfig, Environment } from "@tillkit/core";
import type { ConfiguredStore, StoreConfig } from "./schema.ts";

/** The last segment of the webhook address, `/hooks/service/{endpointId}`. */
export function endpointOf({ endpointId, id }: Pick<ConfiguredStore, "endpointId" | "id">): string {
  return endpointId ?? id;
}

export function environmentOf({ apiKey }: Pick<ConfiguredStore, "apiKey">): Environment {
  return apiKey.startsWith("svc_sk_live_") ? "live" : "test";
}

/**
 * Stores that share an API key share one credential. Its id is built from the endpoint and not from the key: payments that
 * were opened with an old key are read with the new one after a key change. The account is no part of the id either: each payment
 * stores the account that it was opened for, and keeps it when another account is configured.
 */
export function credentialsOf(stores: readonly StoreConfig[], baseUrl: string): readonly CredentialConfig[] {
  const endpoints = [...new Set(stores.map(endpointOf))];
  return endpoints.flatMap((endpointId) => {
    const storesOfEndpoint = stores.filter((store) => endpointOf(store) === endpointId);
    const [first] = storesOfEndpoint;
    if (!first) return [];
    const { apiKey, account } = first;
    const webhookSecrets = [...new Set(storesOfEndpoint.flatMap((store) => store.webhookSecrets))];
    const id = `${endpointId}-${environmentOf(first)}`;
    const storeIds = storesOfEndpoint.map((store) => store.id);
    return [{ id, storeIds, apiKey, baseUrl, account, endpointId, webhookSecrets }];
  });
}
