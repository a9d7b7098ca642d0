import { type OrderRef, StoreError } from "@tillkit/core";
import { z } from "zod";
import { wooLimits } from "../limits.ts";
import { GATEWAY } from "../protocol/names.ts";
import { expectSuccess } from "../transport/woo-rest.ts";
import type { WooShop } from "./woo-shop.ts";

const schema = z.array(z.object({ id: z.number(), payment_method: z.string() }));

/**
 * Orders of ours that nobody paid and that changed since then (milliseconds since 1970). All pages are read before the first
 * order is answered: an order that is marked paid meanwhile would move the others across page borders. The newest come first,
 * since one sweep reads so many payments and no more: from the oldest on, those of today would wait behind a week of
 * abandoned ones.
 */
export async function* listUnsettled(
  shop: WooShop,
  since: number,
): AsyncGenerator<{ readonly ref: OrderRef; readonly attempt: string }> {
  const ids = new Set<number>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const reply = await shop.rest.get("orders", {
      status: ["pending", "failed", "cancelled", "on-hold"],
      modified_after: new Date(since).toISOString().slice(0, 19),
      dates_are_gmt: true,
      orderby: "id",
      order: "asc",
      per_page: wooLimits.sweepPageRows,
      page,
      _fields: "id,payment_method",
    });
    const read = schema.safeParse(expectSuccess(reply, "read"));
    if (!read.success) throw new StoreError("unavailable", "The shop's answer is no list of orders.");
    for (const { id, payment_method: method } of read.data) if (method === GATEWAY) ids.add(id);
    pages = Math.min(reply.pages, wooLimits.sweepPages);
  }
  for (const id of [...ids].reverse()) yield { ref: { storeId: shop.storeId, orderId: String(id) }, attempt: "" };
}
