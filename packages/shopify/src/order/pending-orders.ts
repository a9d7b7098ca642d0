import { type AdminOrder, findOrders } from "../operations/order-queries.ts";
import type { Graphql } from "../shopify-api/graphql.ts";
import { orderPages } from "./order-pages.ts";

/** The unpaid orders of a shop that were placed after `since` (milliseconds since 1970), of every payment method. */
export async function* pendingOrders(graphql: Graphql, shop: string, since: number): AsyncIterable<AdminOrder> {
  const query = `financial_status:pending created_at:>='${new Date(since).toISOString()}'`;
  for await (const { nodes } of orderPages(graphql, shop, { operation: findOrders, query })) yield* nodes;
}
