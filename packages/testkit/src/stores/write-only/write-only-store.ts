import type { Clock, Records } from "@tillkit/core";
import { filterEffects, type MiniatureStore, type PlacedOrder, withoutWrapping } from "../miniature-store.ts";
import { createNetworkLink } from "../network-link.ts";
import { ownerEntries } from "./owner-entries.ts";
import { createWriteOnlyAdapter } from "./write-only-adapter.ts";
import { createWriteOnlyShop, type PostedSession, type SessionMutations } from "./write-only-shop.ts";

const REQUEST_TIMEOUT_MS = 5_000;

export type WriteOnlyStore = MiniatureStore & {
  readonly kind: "write-only";
  /** The shop's own interface, for tests that tell it something past the adapter. */
  readonly mutations: SessionMutations;
  /** The shopper opens the same checkout in a second tab: another attempt of the same order. */
  openSecondTab(orderId: string): Promise<PlacedOrder>;
};

/**
 * A shop as Shopify's payments are: it posts an order to us (group and gid), can be told that it was paid, pending or refused,
 * and can never be read. What it posted is kept in `records`. The group names the order, the gid the try.
 */
export function createWriteOnlyStore(options: {
  readonly clock: Clock;
  readonly records: Records;
  readonly storeId?: string;
}): WriteOnlyStore {
  const { clock, records, storeId = "write-only-shop" } = options;
  const network = createNetworkLink(clock, REQUEST_TIMEOUT_MS);
  const shop = createWriteOnlyShop(clock, network);
  const { mutations } = shop;
  const connect = (hold = withoutWrapping) =>
    createWriteOnlyAdapter({
      storeId,
      origin: "https://write-only.example",
      mutations: hold(mutations),
      records: hold(records),
    });
  const refOf = (orderId: string) => ({ storeId, orderId });

  async function post(session: PostedSession): Promise<PlacedOrder> {
    await records.put(storeId, "session", session.gid, session, "new");
    return { ref: refOf(session.group), attempt: session.gid };
  }

  return {
    kind: "write-only",
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
    failNextWrite: network.failNextWrite,
    clearFaults: network.clearFaults,
    setDown: network.setDown,
    setLatency: network.setLatency,
    heal: network.heal,
    probe: {
      effects: (orderId) => filterEffects(shop.effects, orderId),
      paidBy: (orderId) => shop.checkout(orderId).paidBy,
      status: (orderId) => shop.checkout(orderId).status,
      holds: (orderId) => ownerEntries(records, refOf(orderId), "hold"),
      notes: (orderId) => ownerEntries(records, refOf(orderId), "note"),
    },
  };
}
