import {
  CheckoutError,
  type Clock,
  explainFinding,
  type Log,
  type Order,
  type OrderRef,
  type StoreAdapter,
} from "@tillkit/core";
import { type AdminOrder, findOrders, readOrder, tagOrder } from "../graphql/admin-operations.ts";
import type { Graphql } from "../graphql/graphql.ts";
import { firstError } from "../graphql/operation.ts";
import { shopifyLimits } from "../limits.ts";
import type { OwnerLines } from "../shop/owner-lines.ts";
import { shopHandle } from "../shop/shop-domain.ts";
import { type Gateways, NO_GATEWAYS, type Shops } from "../shop/shops.ts";
import { markOrderPaid } from "./mark-order-paid.ts";
import { isOrderNumber, isOurs, orderGid, orderNumber, orderOf } from "./order-view.ts";
import { recordOrderRefund } from "./record-order-refund.ts";

export type OrderParts = {
  readonly shops: Shops;
  readonly lines: OwnerLines;
  readonly graphql: Graphql;
  readonly originOf: (shop: string) => string;
  /** Whether somebody has begun to pay an order. */
  readonly isBegun: (ref: OrderRef) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
};

/** What was read of an order, and what its shop's owner set: the payment method whose orders wait for us, and a pause. */
export type FoundOrder = Gateways & { readonly found: AdminOrder; readonly paused: boolean };

/** One shop whose orders wait with a manual payment method. An order has one try at a time, so attempts have no name. */
export function createOrderAdapter(shop: string, parts: OrderParts): StoreAdapter {
  const { graphql, lines, shops, log } = parts;

  async function read(ref: OrderRef, attempt: string): Promise<FoundOrder | null> {
    if (ref.storeId !== shop || attempt !== "" || !isOrderNumber(ref.orderId)) return null;
    const found = await graphql.call(shop, readOrder, { id: orderGid(ref.orderId) });
    const known = await shops.find(shop);
    const { gatewayName, formerGateways } = known ?? NO_GATEWAYS;
    return found && { found, gatewayName, formerGateways, paused: known?.paused ?? false };
  }

  async function tag(ref: OrderRef, name: string): Promise<void> {
    const { userErrors } = await graphql.call(shop, tagOrder, { id: orderGid(ref.orderId), tags: [name] });
    if (userErrors.length > 0) log.warn("shopify.tag_refused", { storeId: shop, reason: firstError(userErrors) });
  }

  async function findOrder(ref: OrderRef, attempt: string): Promise<Order | null> {
    const found = await read(ref, attempt);
    const order = found && orderOf(found.found, ref, found);
    // As in a shop without a key: nobody begins to pay. Money that is under way arrives all the same.
    if (found?.paused && order?.payable && !(await parts.isBegun(ref)))
      throw new CheckoutError("store_not_known", "The owner of this shop takes no payments for now.");
    return order;
  }

  return {
    platform: "shopify",
    name: shopHandle(shop),
    writes: { kind: "read-then-write", settleAfterMs: shopifyLimits.settleAfterMs },
    findOrder,
    markPaid: (receipt) => markOrderPaid({ shop, read, ...parts }, receipt),
    async holdForReview(ref, attempt, finding) {
      if (!(await read(ref, attempt))) return;
      const text = explainFinding(finding, await shops.languageOf(shop));
      await lines.add(ref, JSON.stringify(finding), { kind: "hold", text });
      await tag(ref, "tillkit-review");
    },
    async addNote(ref, key, text) {
      await lines.add(ref, key, { kind: "note", text });
      await tag(ref, "tillkit-note");
    },
    recordRefund: (refund) => recordOrderRefund({ shop, read, ...parts }, refund),
    async shopperUrl(ref, attempt) {
      return (await read(ref, attempt))?.found.statusPageUrl ?? parts.originOf(shop);
    },
    async *listUnsettled(since) {
      const gatewayName = (await shops.find(shop))?.gatewayName ?? null;
      for await (const found of pendingOrders(graphql, shop, since)) {
        const ref = { storeId: shop, orderId: orderNumber(found.id) };
        if (isOurs(found, gatewayName)) yield { ref, attempt: "" };
      }
    },
  };
}

/** Orders placed after `since` (milliseconds since 1970) that wait for money, of whatever payment method. */
export async function* pendingOrders(graphql: Graphql, shop: string, since: number): AsyncIterable<AdminOrder> {
  const query = `financial_status:pending created_at:>='${new Date(since).toISOString()}'`;
  let after: string | null = null;
  for (let page = 0; page < shopifyLimits.orderPages; page += 1) {
    const variables: object = { first: shopifyLimits.orderRows, after, query };
    const { nodes, pageInfo } = await graphql.call(shop, findOrders, variables);
    yield* nodes;
    if (!pageInfo.hasNextPage || !pageInfo.endCursor) return;
    after = pageInfo.endCursor;
  }
}
