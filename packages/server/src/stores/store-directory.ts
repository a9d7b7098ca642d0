import { assertStoreAdapter, CheckoutError, codeOf, type StoreAdapter } from "@tillkit/core";
import type { SpanIds, Tracer } from "@tillkit/runtime";
import type { Metrics } from "../observability/metrics.ts";

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

/** Returns the same adapter with each answer of `markPaid` counted, and traced where a tracer is given. */
function countStoreWrites(
  storeId: string,
  adapter: StoreAdapter,
  metrics: Metrics,
  tracer: Tracer | null,
): StoreAdapter {
  type Receipt = Parameters<StoreAdapter["markPaid"]>[0];
  const attributes = { "tillkit.store.id": storeId, "tillkit.platform": adapter.platform };

  async function markPaid(receipt: Receipt) {
    if (tracer === null) return await countedWrite(receipt, undefined);
    const ids = { ...attributes, "tillkit.payment.id": receipt.paymentId };
    return await tracer.run("StoreAdapter/markPaid", { kind: "CLIENT", attributes: ids }, (span) =>
      countedWrite(receipt, span.ids),
    );
  }

  async function countedWrite(receipt: Receipt, span: SpanIds | undefined) {
    try {
      const answer = await adapter.markPaid(receipt);
      metrics.recordStoreWrite({ storeId, outcome: answer.outcome, span });
      return answer;
    } catch (error) {
      const code = codeOf(error);
      const isCode = code === "unavailable" || code === "reconnect" || code === "owner";
      const outcome = isCode ? code : "unknown";
      metrics.recordStoreWrite({ storeId, outcome, span });
      throw error;
    }
  }

  // A Proxy, because a copy of the adapter would lose the private fields of its class.
  return new Proxy(adapter, {
    get(target, name) {
      if (name === "markPaid") return markPaid;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
