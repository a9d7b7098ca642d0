import { testKeyMistake } from "@tillkit/runtime";
import { endpointOf } from "./credentials.ts";
import type { BridgedConfig, ConfiguredStore } from "./schema.ts";

/**
 * Finds settings that are each valid but contradict each other. One sentence for each mistake. `conflictsInStore`: the settings of the platform;
 * `backOffice`: where the owner of a shop works.
 */
export function findStoreConflicts<Store extends ConfiguredStore>(
  { stores, requireLiveKeys }: Pick<BridgedConfig, "requireLiveKeys"> & { readonly stores: readonly Store[] },
  backOffice: string,
  conflictsInStore: (store: Store, here: string) => readonly string[] = () => [],
): string[] {
  return stores.flatMap((store, index) => {
    const earlier = stores.slice(0, index);
    const here = `stores[${index}]`;
    const testKey = requireLiveKeys ? testKeyMistake(`${here}.apiKey`, store.apiKey) : null;
    return [
      ...(testKey === null ? [] : [testKey]),
      ...plainHttpConflicts(store, here),
      ...conflictsInStore(store, here),
      ...secretConflicts(store, here, backOffice),
      ...earlier.flatMap((other, otherIndex) => conflictsBetween(store, index, other, otherIndex)),
    ];
  });
}

function plainHttpConflicts({ url, apiKey }: ConfiguredStore, here: string): string[] {
  if (!url.startsWith("http:") || !apiKey.startsWith("svc_sk_live_")) return [];
  return [`${here} takes real money over plain http: use the shop's https:// address, or a test key.`];
}

function secretConflicts(store: ConfiguredStore, here: string, backOffice: string): string[] {
  const { linkSecret, previousLinkSecret, webhookSecrets } = store;
  const mistakes: string[] = [];
  if (linkSecret !== undefined && webhookSecrets === undefined) {
    mistakes.push(
      `${here} has a linkSecret and no webhookSecrets: give both, or neither and connect the shop in ${backOffice}.`,
    );
  }
  if (linkSecret === undefined && previousLinkSecret !== undefined) {
    mistakes.push(`${here}.previousLinkSecret needs a linkSecret: without one, a pairing keeps both secrets itself.`);
  }
  return mistakes;
}

function conflictsBetween(store: ConfiguredStore, index: number, other: ConfiguredStore, otherIndex: number): string[] {
  const here = `stores[${index}]`;
  const there = `stores[${otherIndex}]`;
  const mistakes: string[] = [];
  if (store.id === other.id) mistakes.push(`${here}.id is the id of ${there} too: give each shop its own id.`);
  if (store.url === other.url) {
    mistakes.push(
      `${here}.url is the url of ${there} too: list each shop once, because two entries would write the same orders.`,
    );
  }
  const isSameKey = store.apiKey === other.apiKey && store.account === other.account;
  const isSameEndpoint = endpointOf(store) === endpointOf(other);
  if (isSameKey && !isSameEndpoint) {
    mistakes.push(`${here} and ${there} share an API key, so they share its webhooks: give both the same endpointId.`);
  }
  if (!isSameKey && isSameEndpoint) {
    mistakes.push(
      `${here} and ${there} have the same endpointId and different API keys: give each its own endpointId.`,
    );
  }
  return mistakes;
}
