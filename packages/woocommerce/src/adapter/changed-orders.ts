import { StoreError } from "@tillkit/core";
import type { z } from "zod";
import { wooLimits } from "../limits.ts";
import type { WooStore } from "../store/woo-store.ts";
import { expectSuccess } from "../transport/woo-rest.ts";

export type ChangedOrdersQuery = {
  readonly status: readonly string[];
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The fields of the answer, separated by commas; all fields by default. */
  readonly fields?: string;
};

/**
 * Reads the orders with one of these statuses that changed after `since`, the oldest first, up to the limit of a sweep. All pages
 * are read before the first order is returned, because an order that changes in between would shift the pages.
 * @throws StoreError
 */
export async function readChangedOrders<Order>(
  store: WooStore,
  orderSchema: z.ZodType<Order>,
  { status, since, fields }: ChangedOrdersQuery,
): Promise<Order[]> {
  const orders: Order[] = [];
  // WooCommerce compares times without milliseconds.
  const modifiedAfter = new Date(since).toISOString().slice(0, "2026-01-31T12:00:00".length);
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const reply = await store.rest.get("orders", {
      status,
      modified_after: modifiedAfter,
      dates_are_gmt: true,
      orderby: "id",
      order: "asc",
      per_page: wooLimits.sweepPageRows,
      page,
      ...(fields === undefined ? {} : { _fields: fields }),
    });
    const parsed = orderSchema.array().safeParse(expectSuccess(reply, "read"));
    if (!parsed.success) throw new StoreError("unavailable", "The shop's answer is not a list of orders.");
    orders.push(...parsed.data);
    pages = Math.min(reply.pages, wooLimits.sweepPages);
  }
  return orders;
}
