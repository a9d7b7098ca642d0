import { type OrderRef, StoreError } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import { META } from "../protocol/names.ts";
import { expectSuccess } from "../transport/woo-rest.ts";
import { decidedStatus, isLateHold } from "./paid-by.ts";
import { type WooOrder, wooOrderSchema } from "./woo-order.ts";
import type { WooShop } from "./woo-shop.ts";

/** Takes the mark of a hold away. */
export const NO_HOLD = { key: META.hold, value: "" } as const;

/** The order as its owner wants it: where a hold of ours landed late, the status that the owner had set is written back first. */
export async function readDecided(shop: WooShop, ref: OrderRef): Promise<WooOrder | null> {
  const order = await shop.readOrder(ref);
  return order && isLateHold(order) ? await restoreDecision(shop, order) : order;
}

/** To be given an order that was read, or written, a moment ago. */
export async function restoreDecision(shop: WooShop, order: WooOrder): Promise<WooOrder | null> {
  return await shop.changeOrder(String(order.id), { status: decidedStatus(order), meta_data: [NO_HOLD] });
}

/**
 * Looks through the orders on hold that changed since then (milliseconds since 1970). A hold whose answer was lost can land
 * when nobody writes the order any more.
 */
export async function restoreLateHolds(shop: WooShop, since: number): Promise<number> {
  const found: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const reply = await shop.rest.get("orders", {
      status: ["on-hold"],
      modified_after: new Date(since).toISOString().slice(0, 19),
      dates_are_gmt: true,
      orderby: "id",
      order: "asc",
      per_page: wooLimits.sweepPageRows,
      page,
    });
    const read = wooOrderSchema.array().safeParse(expectSuccess(reply, "read"));
    if (!read.success) throw new StoreError("unavailable", "The shop's answer is no list of orders.");
    found.push(...read.data.filter(isLateHold).map(({ id }) => String(id)));
    pages = Math.min(reply.pages, wooLimits.sweepPages);
  }
  for (const orderId of found) await readDecided(shop.within(), { storeId: shop.storeId, orderId });
  return found.length;
}
