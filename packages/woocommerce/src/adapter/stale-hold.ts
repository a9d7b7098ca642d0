import { type OrderRef, StoreError } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import { META } from "../protocol/names.ts";
import { isStaleHold, ownerStatus } from "../store/paid-by.ts";
import { type WooOrder, wooOrderSchema } from "../store/woo-order.ts";
import type { WooStore } from "../store/woo-store.ts";
import { expectSuccess } from "../transport/woo-rest.ts";

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
  const orderIds: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const reply = await store.rest.get("orders", {
      status: ["on-hold"],
      modified_after: new Date(since).toISOString().slice(0, 19),
      dates_are_gmt: true,
      orderby: "id",
      order: "asc",
      per_page: wooLimits.sweepPageRows,
      page,
    });
    const read = wooOrderSchema.array().safeParse(expectSuccess(reply, "read"));
    if (!read.success) throw new StoreError("unavailable", "The shop's answer is not a list of orders.");
    orderIds.push(...read.data.filter(isStaleHold).map(({ id }) => String(id)));
    pages = Math.min(reply.pages, wooLimits.sweepPages);
  }
  for (const orderId of orderIds) await readWithoutStaleHold(store.forOneCall(), { storeId: store.storeId, orderId });
  return orderIds.length;
}
