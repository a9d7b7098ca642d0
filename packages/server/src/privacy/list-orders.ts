import type { Ledger, OrderRef } from "@tillkit/core";
import { allPages } from "@tillkit/runtime";

/** Every order of a store that has a payment, each once, newest first. */
export async function* listOrders(ledger: Ledger, storeId: string): AsyncGenerator<OrderRef> {
  const seen = new Set<string>();
  for await (const payments of allPages((page) => ledger.listPayments({ storeId, ...page }))) {
    for (const { ref } of payments) {
      if (!seen.has(ref.orderId)) yield ref;
      seen.add(ref.orderId);
    }
  }
}
