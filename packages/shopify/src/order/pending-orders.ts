import { shopifyLimits } from "../limits.ts";
import { type AdminOrder, findOrders } from "../operations/order-queries.ts";
import type { Graphql } from "../shopify-api/graphql.ts";

/** The unpaid orders of a shop that were placed after `since` (milliseconds since 1970), of every payment method. */
export async function* pendingOrders(graphql: Graphql, shop: string, since: number): AsyncIterable<AdminOrder> {
  const query = `financial_status:pending created_at:>='${new Date(since).toISOString()}'`;
  let after: string | null = null;
  for (let page = 0; page < shopifyLimits.orderPages; page += 1) {
    const variables: object = { first: shopifyLimits.orderPageSize, after, query };
    const { nodes, pageInfo } = await graphql.call(shop, findOrders, variables);
    yield* nodes;
    if (!pageInfo.hasNextPage || !pageInfo.endCursor) return;
    after = pageInfo.endCursor;
  }
}
