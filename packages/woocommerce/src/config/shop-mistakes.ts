import type { CompanionConfig, StoreConfig } from "./config.ts";
import { endpointOf } from "./credentials.ts";

/** What is wrong between keys that are each right. One sentence a mistake. */
export function shopMistakes({ stores }: Pick<CompanionConfig, "stores">): string[] {
  return stores.flatMap((store, index) => {
    const earlier = stores.slice(0, index);
    return [...ownMistakes(store, index), ...earlier.flatMap((other, at) => pairMistakes(store, index, other, at))];
  });
}

function ownMistakes({ url, apiKey }: StoreConfig, index: number): string[] {
  if (!url.startsWith("http:") || !apiKey.startsWith("svc_sk_live_")) return [];
  return [`stores[${index}] takes real money over plain http: use the shop's https:// address, or a test key.`];
}

function pairMistakes(store: StoreConfig, index: number, other: StoreConfig, at: number): string[] {
  const [here, there] = [`stores[${index}]`, `stores[${at}]`];
  const sameKey = store.apiKey === other.apiKey && store.account === other.account;
  const sameEndpoint = endpointOf(store) === endpointOf(other);
  return [
    ...(store.id === other.id ? [`${here}.id is that of ${there}: give each shop an id of its own.`] : []),
    ...(new URL(store.url).href === new URL(other.url).href
      ? [`${here}.url is that of ${there}: name each shop once, or two would write its orders.`]
      : []),
    ...(sameKey && !sameEndpoint
      ? [`${here} and ${there} share a key of the service, so they share its webhooks: give both the same endpointId.`]
      : []),
    ...(!sameKey && sameEndpoint
      ? [`${here} and ${there} have the same endpointId and different keys: give each an endpointId of its own.`]
      : []),
  ];
}
