import type { OrderRef } from "@tillkit/core";
import { META } from "../protocol/names.ts";
import { isStaleHold, ownerStatus } from "../store/paid-by.ts";
import { type WooOrder, wooOrderSchema } from "../store/woo-order.ts";
import type { WooStore } from "../store/woo-store.ts";
import { readChangedOrders } from "./changed-orders.ts";

/** Removes the meta of a hold. */
export const CLEARED_HOLD = { key: META.hold, value: "" } as const;

/** Reads the order. After a stale hold, the owner's status is restored first. */
export async function readWithoutStaleHold(store: WooStore, ref: OrderRef): Promise<WooOrder | null> {
  const order = await store.readOrder(ref);
  return order && isStaleHold(order) ? await restoreOwnerStatus(store, order) : order;
}

/** @param order as it was just read or written */
export async function restoreOwnerStatus(store: WooStore, order: WooOrder): Promise<WooOrder | null> {
  return await store.changeOrder(String(order.id), { status: ownerStatus(order), meta_data: [CLEARED_HOLD] });
}

/**
 * Undoes stale holds on orders that changed since then (milliseconds since 1970). A hold whose answer was lost can be applied
 * after our last write to the order. Returns the number of such orders.
 */
export async function undoStaleHolds(store: WooStore, since: number): Promise<number> {
  const orders = await readChangedOrders(store, wooOrderSchema, { status: ["on-hold"], since });
  const orderIds = orders.filter(isStaleHold).map(({ id }) => String(id));
  for (const orderId of orderIds) await readWithoutStaleHold(store.forOneCall(), { storeId: store.storeId, orderId });
  return orderIds.length;
}
