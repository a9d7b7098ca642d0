import { GraphQLError } from "graphql";
import { financialStatus, type ShopOrder } from "./shop-orders.ts";

/** `orders(first, after, query, sortKey, reverse)` of the Admin API, with the search terms that payments need. */
export function findOrders(
  all: readonly ShopOrder[],
  query: {
    readonly first?: number | null;
    readonly after?: string | null;
    readonly query?: string | null;
    readonly sortKey?: string | null;
    readonly reverse?: boolean | null;
  },
): { readonly found: readonly ShopOrder[]; readonly hasNextPage: boolean } {
  const terms = (query.query ?? "").match(/\([^)]*\)|\S+/g)?.filter((term) => term !== "AND") ?? [];
  const sortField = query.sortKey === "UPDATED_AT" ? "updatedAt" : "createdAt";
  const matching = all
    .filter((order) => terms.every((term) => matchesAny(order, term)))
    .toSorted((a, b) => a[sortField] - b[sortField]);
  if (query.reverse) matching.reverse();
  // A cursor is the position of an order among the matching orders.
  const start = Number(query.after ?? 0);
  const end = start + (query.first ?? 250);
  return { found: matching.slice(start, end), hasNextPage: end < matching.length };
}

/** A term is one condition, or several in parentheses: `(financial_status:paid OR financial_status:voided)`. */
function matchesAny(order: ShopOrder, term: string): boolean {
  const conditions = term.replace(/^\(|\)$/g, "").split(/\s+OR\s+/);
  return conditions.some((condition) => matches(order, condition));
}

function matches(order: ShopOrder, term: string): boolean {
  // A term is a name and a value, with an optional comparison and optional quotes: `created_at:>='2026-07-01'`.
  const [, name, comparison, quoted] = /^([a-z_]+):([<>]=?)?(.+)$/.exec(term) ?? [];
  const value = (quoted ?? "").replace(/^["']|["']$/g, "");
  switch (name) {
    case "financial_status":
      return value.split(",").includes(financialStatus(order).toLowerCase());
    case "created_at":
      return compare(order.createdAt, comparison, Date.parse(value));
    case "updated_at":
      return compare(order.updatedAt, comparison, Date.parse(value));
    case "checkout_token":
      return order.checkoutToken === value;
    case "name":
      return order.name === value;
    case "test":
      return String(order.test) === value;
    case "status":
      return value === "any" || (value === "cancelled") === (order.cancelledAt !== null);
    default:
      throw new GraphQLError(`The simulator cannot search orders by "${term}".`);
  }
}

function compare(time: number, comparison: string | undefined, limit: number): boolean {
  if (comparison === ">=") return time >= limit;
  if (comparison === ">") return time > limit;
  if (comparison === "<=") return time <= limit;
  if (comparison === "<") return time < limit;
  return time === limit;
}
