import { codeOf, type StoreAdapter } from "@tillkit/core";
import type { SpanIds, Tracer } from "@tillkit/runtime";
import type { Metrics } from "./metrics.ts";

/** Returns the same adapter with each answer of `markPaid` counted, and traced where a tracer is given. */
export function countStoreWrites(
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
