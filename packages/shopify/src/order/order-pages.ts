import { shopifyLimits } from "../limits.ts";
import type { Graphql } from "../shopify-api/graphql.ts";
import type { Operation } from "../shopify-api/operation.ts";

/** One page of a list of Shopify. */
export type OrderPage<Order> = {
  readonly nodes: readonly Order[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined };
};

/** The pages of the orders of a shop that match a query of Shopify's search syntax, up to `orderPages` pages. */
export async function* orderPages<Order>(
  graphql: Graphql,
  shop: string,
  { operation, query }: { readonly operation: Operation<OrderPage<Order>>; readonly query: string },
): AsyncIterable<OrderPage<Order>> {
  let after: string | null = null;
  for (let count = 0; count < shopifyLimits.orderPages; count += 1) {
    const variables: object = { first: shopifyLimits.orderPageSize, after, query };
    const page: OrderPage<Order> = await graphql.call(shop, operation, variables);
    yield page;
    if (!page.pageInfo.hasNextPage || !page.pageInfo.endCursor) return;
    after = page.pageInfo.endCursor;
  }
}
