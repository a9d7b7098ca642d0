import { type OrderRef, StoreError } from "@tillkit/core";
import { z } from "zod";
import { wooLimits } from "../limits.ts";
import { GATEWAY } from "../protocol/names.ts";
import type { WooStore } from "../store/woo-store.ts";
import { expectSuccess } from "../transport/woo-rest.ts";

const orderListSchema = z.array(z.object({ id: z.number(), payment_method: z.string() }));

/**
 * Lists unpaid orders of our payment method that changed since then (milliseconds since 1970), the newest first. All pages are
 * read before the first order is returned, because an order that is marked paid meanwhile would shift the pages. The newest
 * orders come first because one sweep reads a limited number of payments: today's orders must not wait behind a week of
 * abandoned ones.
 */
export async function* listUnsettled(
  store: WooStore,
  since: number,
): AsyncGenerator<{ readonly ref: OrderRef; readonly attempt: string }> {
  const ids = new Set<number>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const reply = await store.rest.get("orders", {
      status: ["pending", "failed", "cancelled", "on-hold"],
      modified_after: new Date(since).toISOString().slice(0, 19),
      dates_are_gmt: true,
      orderby: "id",
      order: "asc",
      per_page: wooLimits.sweepPageRows,
      page,
      _fields: "id,payment_method",
    });
    const read = orderListSchema.safeParse(expectSuccess(reply, "read"));
    if (!read.success) throw new StoreError("unavailable", "The shop's answer is not a list of orders.");
    for (const { id, payment_method: method } of read.data) if (method === GATEWAY) ids.add(id);
    pages = Math.min(reply.pages, wooLimits.sweepPages);
  }
  for (const id of [...ids].reverse()) yield { ref: { storeId: store.storeId, orderId: String(id) }, attempt: "" };
}
