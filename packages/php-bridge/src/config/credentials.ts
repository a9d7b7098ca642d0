import type { CredentialConfig, Environment } from "@tillkit/core";
import type { KeptSecrets } from "@tillkit/core/ledger";
import { type BridgedConfig, type ConfiguredStore, listedStores } from "./schema.ts";

/** The last segment of the webhook address, `/hooks/service/{endpointId}`. */
export function endpointOf({ endpointId, id }: Pick<ConfiguredStore, "endpointId" | "id">): string {
  return endpointId ?? id;
}

export function environmentOf({ apiKey }: Pick<ConfiguredStore, "apiKey">): Environment {
  return apiKey.startsWith("svc_sk_live_") ? "live" : "test";
}

/**
 * The id is built from the endpoint and not from the key: payments that were opened with an old key are read with the new one after a
 * key change. The account is no part of the id either: each payment stores the account that it was opened for, and keeps it when
 * another account is configured.
 */
export function credentialIdOf(store: ConfiguredStore): string {
  return `${endpointOf(store)}-${environmentOf(store)}`;
}

export type ShopCredential = Omit<CredentialConfig, "webhookSecrets"> & KeptSecrets & { readonly id: string };

/** Stores that share an API key share one credential. Without webhook secrets in the configuration, those of a pairing are kept. */
export function credentialsOf({ service, ...config }: ConfiguredCredentials): readonly ShopCredential[] {
  const stores = listedStores(config);
  const endpoints = [...new Set(stores.map(endpointOf))];
  return endpoints.flatMap((endpointId) => {
    const ofEndpoint = stores.filter((store) => endpointOf(store) === endpointId);
    const [first] = ofEndpoint;
    if (!first) return [];
    const { apiKey, account } = first;
    const secrets = [...new Set(ofEndpoint.flatMap(({ webhookSecrets = [] }) => webhookSecrets))];
    const storeIds = ofEndpoint.map((store) => store.id);
    const webhookSecrets = secrets.length === 0 ? "kept" : secrets;
    return [
      { id: credentialIdOf(first), storeIds, apiKey, baseUrl: service.baseUrl, account, endpointId, webhookSecrets },
    ];
  });
}

/** Whether the configuration itself names the webhook secrets. */
export function hasWebhookSecrets(
  credential: ShopCredential,
): credential is ShopCredential & Pick<CredentialConfig, "webhookSecrets"> {
  return credential.webhookSecrets !== "kept";
}

/** The credential of a configured shop. */
export function credentialOf(store: ConfiguredStore, config: ConfiguredCredentials): ShopCredential {
  const credential = credentialsOf(config).find(({ id }) => id === credentialIdOf(store));
  if (!credential) throw new Error(`Shop ${store.id} is not in the configuration.`);
  return credential;
}

type ConfiguredCredentials = Pick<BridgedConfig, "stores" | "service">;
