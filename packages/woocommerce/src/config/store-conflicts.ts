import { testKeyMistake } from "@tillkit/runtime";
import { endpointOf } from "./credentials.ts";
import type { ConfiguredStore, WooCommerceConfig } from "./schema.ts";

/** Finds settings that are each valid but contradict each other. One sentence for each mistake. */
export function findStoreConflicts({
  stores,
  requireLiveKeys,
}: Pick<WooCommerceConfig, "requireLiveKeys"> & { readonly stores: readonly ConfiguredStore[] }): string[] {
  return stores.flatMap((store, index) => {
    const earlier = stores.slice(0, index);
    const testKey = requireLiveKeys ? testKeyMistake(`stores[${index}].apiKey`, store.apiKey) : null;
    return [
      ...(testKey === null ? [] : [testKey]),
      ...conflictsInStore(store, index),
      ...earlier.flatMap((other, otherIndex) => conflictsBetween(store, index, other, otherIndex)),
    ];
  });
}

function conflictsInStore(store: ConfiguredStore, index: number): string[] {
  const { url, apiKey, consumerKey, consumerSecret, linkSecret, previousLinkSecret, webhookSecrets, writeOrdersBy } =
    store;
  const here = `stores[${index}]`;
  const mistakes: string[] = [];
  if (url.startsWith("http:") && apiKey.startsWith("svc_sk_live_")) {
    mistakes.push(`${here} takes real money over plain http: use the shop's https:// address, or a test key.`);
  }
  const hasKey = consumerKey !== undefined;
  const hasSecret = consumerSecret !== undefined;
  if (hasKey !== hasSecret) {
    mistakes.push(`${here} has one half of a REST key: give both consumerKey and consumerSecret, or neither.`);
  }
  if (!hasKey && writeOrdersBy === "rest") {
    mistakes.push(
      `${here}.writeOrdersBy is "rest", which needs a REST key: give consumerKey and consumerSecret, or use "auto".`,
    );
  }
  if (linkSecret !== undefined && webhookSecrets === undefined) {
    mistakes.push(
      `${here} has a linkSecret and no webhookSecrets: give both, or neither and connect the shop in WordPress.`,
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
