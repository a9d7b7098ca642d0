/** A connection of Shopify's schemas: one page of a list. The cursor of a node is its position on the page, from 1. */
export function connection(nodes: readonly unknown[], hasNextPage = false) {
  const edges = nodes.map((node, index) => ({ node, cursor: String(index + 1) }));
  const [first, last] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null];
  return { nodes, edges, pageInfo: { hasNextPage, hasPreviousPage: false, startCursor: first, endCursor: last } };
}
