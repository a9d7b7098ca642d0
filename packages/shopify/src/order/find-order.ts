import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { AppContext } from "../app-context.ts";
import { shopifyLimits } from "../limits.ts";
import { type AdminOrder, findOrders, readOrder } from "../operations/order-queries.ts";
import { isOrderNumber, orderGid } from "./order-number.ts";

/** How a link names an order: by its number and its random confirmation number, or by the checkout that it came from. */
export type OrderLookup =
  | { readonly order: string; readonly confirmation: string }
  | { readonly checkoutToken: string };

/** Null for a link that names no order. */
export function readLookup(query: Readonly<Record<string, unknown>>): OrderLookup | null {
  const { order, confirmation, checkout_token: checkoutToken } = query;
  if (typeof checkoutToken === "string") return /^[\w-]{8,100}$/.test(checkoutToken) ? { checkoutToken } : null;
  if (typeof order !== "string" || !isOrderNumber(order)) return null;
  return typeof confirmation === "string" && /^\w{4,40}$/.test(confirmation) ? { order, confirmation } : null;
}

/** Finds the order of a link. A numbered order is read again for some seconds, because the shop may still be creating it. */
export async function findOrder(context: AppContext, shop: string, lookup: OrderLookup): Promise<AdminOrder | null> {
  const { graphql, clock } = context;
  if ("checkoutToken" in lookup) {
    const variables = { first: 1, after: null, query: `checkout_token:${lookup.checkoutToken}` };
    return (await graphql.call(shop, findOrders, variables)).nodes[0] ?? null;
  }
  const read = () => graphql.call(shop, readOrder, { id: orderGid(lookup.order) });
  let adminOrder = await read();
  for (const waitMs of shopifyLimits.newOrderWaitsMs) {
    if (adminOrder) break;
    await clock.sleep(waitMs);
    adminOrder = await read();
  }
  return adminOrder && isConfirmedBy(adminOrder, lookup.confirmation) ? adminOrder : null;
}

function isConfirmedBy({ confirmationNumber }: AdminOrder, confirmation: string): boolean {
  if (!confirmationNumber) return false;
  return constantTimeEqual(confirmation.toUpperCase(), confirmationNumber.toUpperCase());
}
