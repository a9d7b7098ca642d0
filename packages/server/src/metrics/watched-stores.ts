import { codeOf, type StoreAdapter } from "@tillkit/core";
import type { Metrics } from "./metrics.ts";

/** The same adapter; what it says when it is told that money arrived is counted. */
export function watchStore(storeId: string, adapter: StoreAdapter, metrics: Metrics): StoreAdapter {
  async function markPaid(receipt: Parameters<StoreAdapter["markPaid"]>[0]) {
    try {
      const answer = await adapter.markPaid(receipt);
      metrics.storeWritten({ storeId, outcome: answer.outcome });
      return answer;
    } catch (error) {
      const code = codeOf(error);
      metrics.storeWritten({ storeId, outcome: code === "unavailable" || code === "reconnect" ? code : "unknown" });
      throw error;
    }
  }

  // A Proxy, because an adapter may be an instance of a class with private fields.
  return new Proxy(adapter, {
    get(target, name) {
      if (name === "markPaid") return markPaid;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
