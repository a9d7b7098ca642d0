import { codeOf, type StoreAdapter } from "@tillkit/core";
import type { Metrics } from "./metrics.ts";

/** Returns the same adapter with each answer of `markPaid` counted. */
export function countStoreWrites(storeId: string, adapter: StoreAdapter, metrics: Metrics): StoreAdapter {
  async function markPaid(receipt: Parameters<StoreAdapter["markPaid"]>[0]) {
    try {
      const answer = await adapter.markPaid(receipt);
      metrics.recordStoreWrite({ storeId, outcome: answer.outcome });
      return answer;
    } catch (error) {
      const code = codeOf(error);
      metrics.recordStoreWrite({ storeId, outcome: code === "unavailable" || code === "reconnect" ? code : "unknown" });
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
