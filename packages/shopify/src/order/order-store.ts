import { createSendBy } from "@tillkit/client";
import { type Clock, type Log, limits, type OrderRef } from "@tillkit/core";
import { type AdminOrder, readOrder } from "../operations/order-queries.ts";
import type { OwnerNotices } from "../records/owner-notices.ts";
import { NO_ORDER_SETTINGS, type OrderSettings, type Shops } from "../records/shops.ts";
import type { Graphql } from "../shopify-api/graphql.ts";
import { isOrderNumber, orderGid } from "./order-number.ts";

export type OrderStoreParts = {
  readonly shops: Shops;
  readonly notices: OwnerNotices;
  readonly graphql: Graphql;
  readonly shopUrl: (shop: string) => string;
  /** Whether a payment of this order was started. */
  readonly isStarted: (ref: OrderRef) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
};

/** An order of Shopify, and the settings of its shop that decide whether this app takes its payment. */
export type FoundOrder = OrderSettings & { readonly adminOrder: AdminOrder; readonly paused: boolean };

/** One shop in order mode, whose orders wait for payment under a manual payment method. */
export type OrderStore = OrderStoreParts & {
  readonly shop: string;
  /** Null for an order that does not exist or belongs to another shop. */
  read(ref: OrderRef, attempt: string): Promise<FoundOrder | null>;
  /** The same shop for one adapter call that starts now: it sends nothing after the engine's time limit for a call, or after `ms`. */
  forOneCall(ms?: number): OrderStore;
};

export function createOrderStore(shop: string, parts: OrderStoreParts): OrderStore {
  function storeWith(graphql: Graphql): OrderStore {
    return {
      ...parts,
      shop,
      graphql,
      forOneCall: (ms = limits.storeCallMs) =>
        storeWith(graphql.withSendBy(createSendBy(parts.clock.now() + ms, parts.clock))),
      async read(ref, attempt) {
        // An order has one payment attempt at a time, so the name of its attempt is empty.
        if (ref.storeId !== shop || attempt !== "" || !isOrderNumber(ref.orderId)) return null;
        const adminOrder = await graphql.call(shop, readOrder, { id: orderGid(ref.orderId) });
        const settings = await parts.shops.find(shop);
        return adminOrder && { ...(settings ?? NO_ORDER_SETTINGS), adminOrder, paused: settings?.paused ?? false };
      },
    };
  }

  return storeWith(parts.graphql);
}
