import { endpointOf } from "./credentials.ts";
import type { ConfiguredStore, WooCommerceConfig } from "./schema.ts";

/** Finds settings that are each valid but contradict each other. One sentence for each mistake. */
export function findStoreConflicts({ stores }: Pick<WooCommerceConfig, "stores">): string[] {
  return stores.flatMap((store, index) => {
    const earlier = stores.slice(0, index);
    return [
      ...conflictsInStore(store, index),
      ...earlier.flatMap((other, otherIndex) => conflictsBetween(store, index, other, otherIndex)),
    ];
  });
}

function conflictsInStore(store: ConfiguredStore, index: number): string[] {
  const { url, apiKey, consumerKey, consumerSecret, linkSecret, previousLinkSecret, webhookSecrets, writeOrdersBy } =
    store;
  const here = `stores[${index}]`;
  return [
    ...(url.startsWith("http:") && apiKey.startsWith("svc_sk_live_")
      ? [`${here} takes real money over plain http: use the shop's https:// address, or a test key.`]
      : []),
    ...((consumerKey === undefined) !== (consumerSecret === undefined)
      ? [`${here} has one half of a REST key: give both consumerKey and consumerSecret, or neither.`]
      : []),
    ...(consumerKey === undefined && writeOrdersBy === "rest"
      ? [`${here}.writeOrdersBy is "rest", which needs a REST key: give consumerKey and consumerSecret, or use "auto".`]
      : []),
    ...(linkSecret !== undefined && webhookSecrets === undefined
      ? [`${here} has a linkSecret and no webhookSecrets: give both, or neither and connect the shop in WordPress.`]
      : []),
    ...(linkSecret === undefined && previousLinkSecret !== undefined
      ? [`${here}.previousLinkSecret needs a linkSecret: without one, a pairing keeps both secrets itself.`]
      : []),
  ];
}

function conflictsBetween(store: ConfiguredStore, index: number, other: ConfiguredStore, otherIndex: number): string[] {
  const [here, there] = [`stores[${index}]`, `stores[${otherIndex}]`];
  const sameKey = store.apiKey === other.apiKey && store.account === other.account;
  const sameEndpoint = endpointOf(store) === endpointOf(other);
  return [
    ...(store.id === other.id ? [`${here}.id is the id of ${there} too: give each shop its own id.`] : []),
    ...(new URL(store.url).href === new URL(other.url).href
      ? [
          `${here}.url is the url of ${there} too: list each shop once, because two entries would write the same orders.`,
        ]
      : []),
    ...(sameKey && !sameEndpoint
      ? [`${here} and ${there} share an API key, so they share its webhooks: give both the same endpointId.`]
      : []),
    ...(!sameKey && sameEndpoint
      ? [`${here} and ${there} have the same endpointId and different API keys: give each its own endpointId.`]
      : []),
  ];
}
