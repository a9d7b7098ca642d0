import { CheckoutError } from "../domain/checkout-error.ts";
import type { Environment } from "../domain/order.ts";
import type { CredentialKey } from "../ports/credentials.ts";
import type { Credential, WebhookEndpoint } from "../ports/tenants.ts";

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
