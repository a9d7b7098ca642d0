import type { Clock, Records } from "@tillkit/core";
import { effectsOf, type MiniatureStore, nothingHolds, type PlacedOrder } from "../miniature-store.ts";
import { createShopWire } from "../shop-wire.ts";
import { ownerLines } from "./owner-page.ts";
import { createTellOnlyAdapter } from "./tell-only-adapter.ts";
import { createTellOnlyShop, type PostedSession, type TellOnlyMutations } from "./tell-only-shop.ts";

const REQUEST_TIMEOUT_MS = 5_000;

export type TellOnlyStore = MiniatureStore & {
  readonly kind: "tell-only";
  /** The shop's own interface, for tests that tell it something past the adapter. */
  readonly mutations: TellOnlyMutations;
  /** The shopper opens the same checkout in a second tab: another attempt of the same order. */
  openSecondTab(orderId: string): Promise<PlacedOrder>;
};

/**
 * A shop as Shopify's payments are: it posts an order to us (group and gid), can be told that it was paid, pending or refused,
 * and can never be read. What it posted is kept in `records`. The group names the order, the gid the try.
 */
export function createTellOnlyStore(options: {
  readonly clock: Clock;
  readonly records: Records;
  readonly storeId?: string;
}): TellOnlyStore {
  const { clock, records, storeId = "tell-only-shop" } = options;
  const wire = createShopWire(clock, REQUEST_TIMEOUT_MS);
  const shop = createTellOnlyShop(clock, wire);
  const { mutations } = shop;
  const connect = (hold = nothingHolds) =>
    createTellOnlyAdapter({
      storeId,
      origin: "https://tell-only.example",
      mutations: hold(mutations),
      records: hold(records),
    });
  const refOf = (orderId: string) => ({ storeId, orderId });

  async function post(session: PostedSession): Promise<PlacedOrder> {
    await records.put(storeId, "session", session.gid, session, "new");
    return { ref: refOf(session.group), attempt: session.gid };
  }

  return {
    kind: "tell-only",
    storeId,
    adapter: connect(),
    connect,
    mutations,
    placeOrder: (want) => post(shop.beginCheckout(want)),
    openSecondTab: (orderId) => post(shop.beginSession(orderId)),
    editTotal: (orderId, total) => {
      shop.checkout(orderId).total = total;
      return post(shop.beginSession(orderId));
    },
    cancelOrder: (orderId) => {
      const checkout = shop.checkout(orderId);
      if (checkout.status !== "paid") checkout.status = "closed";
    },
    failNextWrite: wire.failNextWrite,
    forgetFaults: wire.forgetFaults,
    setDown: wire.setDown,
    setLatency: wire.setLatency,
    heal: wire.heal,
    probe: {
      effects: (orderId) => effectsOf(shop.effects, orderId),
      paidBy: (orderId) => shop.checkout(orderId).paidBy,
      status: (orderId) => shop.checkout(orderId).status,
      holds: (orderId) => ownerLines(records, refOf(orderId), "hold"),
      notes: (orderId) => ownerLines(records, refOf(orderId), "note"),
    },
  };
}
