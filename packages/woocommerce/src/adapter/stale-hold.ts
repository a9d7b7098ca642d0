import type { OrderRef } from "@tillkit/core";
import { META } from "../protocol/names.ts";
import { isStaleHold, ownerStatus } from "../store/paid-by.ts";
import { type WooOrder, wooOrderSchema } from "../store/woo-order.ts";
import type { WooStore } from "../store/woo-store.ts";
import { readChangedOrders } from "./changed-orders.ts";

/** A meta entry that removes the mark of a hold when it is written. */
export const CLEARED_HOLD = { key: META.hold, value: "" } as const;

/** Reads the order. If it has a stale hold, the owner's status is restored first. */
export async function readWithoutStaleHold(store: WooStore, ref: OrderRef): Promise<WooOrder | null> {
  const order = await store.readOrder(ref);
  return order && isStaleHold(order) ? await restoreOwnerStatus(store, order) : order;
}

/** @param order as it was just read or written */
export async function restoreOwnerStatus(store: WooStore, order: WooOrder): Promise<WooOrder | null> {
  return await store.changeOrder(String(order.id), { status: ownerStatus(order), meta_data: [CLEARED_HOLD] });
}

/**
 * Undoes stale holds on orders that changed after `since` (milliseconds since 1970). The shop can apply a hold later than our last
 * write to the order if the answer to the hold was lost. Returns the number of orders with a stale hold.
 */
export async function undoStaleHolds(store: WooStore, since: number): Promise<number> {
  const orders = await readChangedOrders(store, wooOrderSchema, { status: ["on-hold"], since });
  const orderIds = orders.filter(isStaleHold).map(({ id }) => String(id));
  for (const orderId of orderIds) await readWithoutStaleHold(store.forOneCall(), { storeId: store.storeId, orderId });
  return orderIds.length;
}
