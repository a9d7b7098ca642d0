import { CheckoutError, type StoreAdapter } from "@tillkit/core";
import type { Metrics } from "./metrics/metrics.ts";
import { watchStore } from "./metrics/watched-stores.ts";

/** Stores that come and go while the program runs. */
export type StoreDirectory = {
  /** Null: there is no such store. The same adapter every time, as long as nothing about the store changed. */
  find(storeId: string): Promise<StoreAdapter | null>;
  /** Ids, for what operators choose from. */
  list(): Promise<readonly string[]>;
};

export type Stores = Readonly<Record<string, StoreAdapter>> | StoreDirectory;

export function isDirectory(stores: Stores | undefined): stores is StoreDirectory {
  return typeof (stores as Partial<StoreDirectory> | undefined)?.find === "function";
}

/** The stores behind one face, each one's answers counted. `get` throws CheckoutError `store_not_known`. */
export function openDirectory(stores: Stores, metrics: Metrics) {
  const watched = new WeakMap<StoreAdapter, StoreAdapter>();
  const directory = isDirectory(stores) ? stores : fixedDirectory(stores);

  return {
    list: () => directory.list(),
    async get(storeId: string): Promise<StoreAdapter> {
      const adapter = await directory.find(storeId);
      if (adapter === null) throw notKnown(storeId);
      const known = watched.get(adapter) ?? watchStore(storeId, adapter, metrics);
      watched.set(adapter, known);
      return known;
    },
  };
}

function fixedDirectory(stores: Readonly<Record<string, StoreAdapter>>): StoreDirectory {
  const ids = Object.keys(stores);
  return {
    find: async (storeId) => (Object.hasOwn(stores, storeId) ? (stores[storeId] ?? null) : null),
    list: async () => ids,
  };
}

function notKnown(storeId: string): CheckoutError {
  return new CheckoutError(
    "store_not_known",
    `Store "${storeId}" is not one of this server's stores: add it to stores.`,
  );
}
