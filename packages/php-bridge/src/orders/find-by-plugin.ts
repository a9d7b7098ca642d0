import type { OrderRef } from "@tillkit/core";
import type { PluginRoutes } from "../transport/plugin-routes.ts";
import { type BridgedOrder, isOrderId } from "./bridged-order.ts";
import { type OrderName, readOrderByPlugin } from "./plugin-orders.ts";

/** The part of a store that finds its orders. */
type Shop = { readonly storeId: string; readonly plugin: PluginRoutes };

/** The key of an order when its pay link was opened; "" where nobody knows it, which asks the plugin for the key that the order has now. */
export type KeyOfOrder = (ref: OrderRef) => Promise<string>;

/** Reads an order. Null: the store has no such order, or one with another key: that of a copy, or of a shop that was restored. @throws StoreError */
export async function findByPlugin(
  { storeId, plugin }: Shop,
  ref: OrderRef,
  keyOf: KeyOfOrder,
): Promise<BridgedOrder | null> {
  if (ref.storeId !== storeId || !isOrderId(ref.orderId)) return null;
  return await readOrderByPlugin(plugin, { id: ref.orderId, key: await keyOf(ref) });
}

/** The order as a write has to name it. It is read only where nobody knows its key, because the plugin compares it under its lock. */
export async function nameForPlugin(store: Shop, ref: OrderRef, keyOf: KeyOfOrder): Promise<OrderName | null> {
  if (ref.storeId !== store.storeId || !isOrderId(ref.orderId)) return null;
  const key = await keyOf(ref);
  return key === "" ? await findByPlugin(store, ref, keyOf) : { id: ref.orderId, key };
}
