import type { StoreAdapter } from "@tillkit/core";
import type { BridgedConnection } from "@tillkit/php-bridge";
import { undoStaleHolds } from "../adapter/stale-hold.ts";
import { mayWaitForAnotherPayment } from "../store/paid-by.ts";
import { toBridgedOrder } from "../store/to-order.ts";
import type { WooStore } from "../store/woo-store.ts";

/** The connection to a WooCommerce shop, as the handlers of the checkout server use it. */
export function createWooConnection(store: WooStore, adapter: StoreAdapter): BridgedConnection {
  const readOrder: BridgedConnection["readOrder"] = async (ref) => {
    const order = await store.readOrder(ref);
    return order && toBridgedOrder(order, store.language);
  };
  return {
    ...store,
    readOrder,
    async readForPayment(ref) {
      const order = await store.readOrder(ref);
      if (order === null || !mayWaitForAnotherPayment(order)) return order && toBridgedOrder(order, store.language);
      // The adapter compares the order's meta with the ledger.
      await adapter.findOrder(ref, "");
      return await readOrder(ref);
    },
    async examine() {
      await store.rest.get("orders", { per_page: 1, _fields: "id" });
      const ping = store.writeOrdersBy === "rest" ? null : await store.plugin.call("ping", {});
      if (ping?.kind === "answered" && ping.status === 200) return "by-plugin";
      return store.writeOrdersBy === "plugin" ? "unreachable" : "by-rest";
    },
    prepareSweep: (since) => undoStaleHolds(store, since),
  };
}
