import { assertStoreAdapter, CheckoutError, type StoreAdapter } from "@tillkit/core";
import type { Tracer } from "@tillkit/runtime";
import type { Metrics } from "../observability/metrics.ts";
import { countStoreWrites } from "../observability/store-writes.ts";

/** Stores that are added and removed while the program runs. */
export type StoreDirectory = {
  /** Null when there is no such store. Returns the same adapter object as long as the store does not change. */
  find(storeId: string): Promise<StoreAdapter | null>;
  /** The ids of all stores, for lists that operators choose from. */
  list(): Promise<readonly string[]>;
};

export type Stores = Readonly<Record<string, StoreAdapter>> | StoreDirectory;

export function isDirectory(stores: Stores | undefined): stores is StoreDirectory {
  return typeof (stores as Partial<StoreDirectory> | undefined)?.find === "function";
}

/**
 * One interface for fixed and changing stores, with metrics of their writes. `get` throws CheckoutError `store_not_known`.
 *
 * @throws CheckoutError `configuration_invalid` when a fixed store's adapter lacks a method; `get` throws it for a changing store
 */
export function openDirectory(stores: Stores, metrics: Metrics, tracer: Tracer | null) {
  const countedAdapters = new WeakMap<StoreAdapter, StoreAdapter>();
  const directory = isDirectory(stores) ? stores : fixedDirectory(stores);

  return {
    list: () => directory.list(),
    async get(storeId: string): Promise<StoreAdapter> {
      const adapter = await directory.find(storeId);
      if (adapter === null) {
        const message = `Store "${storeId}" is not one of this server's stores: add it to stores.`;
        throw new CheckoutError("store_not_known", message);
      }
      const known = countedAdapters.get(adapter);
      if (known) return known;
      assertStoreAdapter(storeId, adapter);
      const countedAdapter = countStoreWrites(storeId, adapter, metrics, tracer);
      countedAdapters.set(adapter, countedAdapter);
      return countedAdapter;
    },
  };
}

function fixedDirectory(stores: Readonly<Record<string, StoreAdapter>>): StoreDirectory {
  for (const [storeId, adapter] of Object.entries(stores)) assertStoreAdapter(storeId, adapter);
  const ids = Object.keys(stores);
  return {
    find: async (storeId) => (Object.hasOwn(stores, storeId) ? (stores[storeId] ?? null) : null),
    list: async () => ids,
  };
}
