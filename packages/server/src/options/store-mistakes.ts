import type { CredentialConfig } from "@tillkit/core";
import { canList, testKeyMistake } from "@tillkit/runtime";
import { isDirectory } from "../stores/store-directory.ts";
import type { CheckoutServerOptions } from "./checkout-options.ts";
import { addressMistakes } from "./mistake-sentences.ts";

/** Sentences about missing stores, and about credentials that are incomplete or serve a store that is not configured. */
export function storeMistakes({ stores, credentials, ledger, requireLiveKeys }: CheckoutServerOptions): string[] {
  const storeIds = isDirectory(stores) ? null : Object.keys(stores ?? {});
  if (storeIds?.length === 0) return ["stores is empty: give each store's adapter under its store id."];
  if (credentials === "stored") {
    // A ledger that can list its rows also stores secrets.
    return ledger && canList(ledger)
      ? []
      : ['credentials "stored" needs a ledger that keeps secrets: open one with openLedger(url, { secretKeys }).'];
  }
  if (!Array.isArray(credentials) || credentials.length === 0) {
    return ["credentials is empty: give the service's secret key, and the stores it serves."];
  }
  const served = new Set(credentials.flatMap(({ storeIds: ids }) => ids ?? []));
  return [
    ...(storeIds ?? [])
      .filter((storeId) => !served.has(storeId))
      .map((storeId) => `Store "${storeId}" has no credential: add its id to the storeIds of a credential.`),
    ...credentials.flatMap((credential, index) => credentialMistakes(credential, index, storeIds)),
    ...(requireLiveKeys ? credentials.flatMap(testKeyMistakes) : []),
  ];
}

function testKeyMistakes({ apiKey = "" }: Partial<CredentialConfig>, index: number): string[] {
  const mistake = testKeyMistake(`credentials[${index}].apiKey`, apiKey);
  return mistake === null ? [] : [mistake];
}

// Checks what must be present; createTenants reports a malformed key, endpoint or secret.
function credentialMistakes(
  credential: Partial<CredentialConfig>,
  index: number,
  storeIds: readonly string[] | null,
): string[] {
  const name = `credentials[${index}]`;
  const mistakes: string[] = [];
  if (!credential.apiKey) mistakes.push(`${name}.apiKey is missing: give the service's secret key (svc_sk_…).`);
  if (!credential.endpointId) mistakes.push(`${name}.endpointId is missing: it is the last part of the webhook URL.`);
  if ((credential.webhookSecrets ?? []).some((secret) => !secret)) {
    mistakes.push(`${name}.webhookSecrets has an empty one: give the secrets that the service showed.`);
  }
  mistakes.push(...addressMistakes(credential.baseUrl, `${name}.baseUrl`, "base"));
  const unknownIds =
    storeIds === null ? [] : (credential.storeIds ?? []).filter((storeId) => !storeIds.includes(storeId));
  for (const storeId of unknownIds) {
    mistakes.push(`${name}.storeIds contains "${storeId}", but the option stores has no such store.`);
  }
  return mistakes;
}
