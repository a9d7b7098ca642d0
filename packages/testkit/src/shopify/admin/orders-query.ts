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
): { readonly found: readonly ShopOrder[]; readonly more: boolean } {
  const terms = (query.query ?? "").split(/\s+/).filter((term) => term !== "" && term !== "AND");
  const by = query.sortKey === "UPDATED_AT" ? "updatedAt" : "createdAt";
  const fitting = all.filter((order) => terms.every((term) => fits(order, term))).toSorted((a, b) => a[by] - b[by]);
  if (query.reverse) fitting.reverse();
  const start = Number(query.after ?? 0);
  const end = start + (query.first ?? 250);
  return { found: fitting.slice(start, end), more: end < fitting.length };
}

function fits(order: ShopOrder, term: string): boolean {
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

function compare(time: number, how: string | undefined, than: number): boolean {
  if (how === ">=") return time >= than;
  if (how === ">") return time > than;
  if (how === "<=") return time <= than;
  if (how === "<") return time < than;
  return time === than;
}
