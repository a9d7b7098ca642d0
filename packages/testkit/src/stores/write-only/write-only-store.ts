import type { Clock } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { filterEffects, type MiniatureStore, type PlacedOrder, withoutWrapping } from "../miniature-store.ts";
import { createNetworkLink } from "../network-link.ts";
import { ownerEntries } from "./owner-entries.ts";
import { createWriteOnlyAdapter } from "./write-only-adapter.ts";
import { createWriteOnlyShop, type PostedSession, type SessionMutations } from "./write-only-shop.ts";

const REQUEST_TIMEOUT_MS = 5_000;

export type WriteOnlyStore = MiniatureStore & {
  readonly kind: "write-only";
  /** The shop's mutations, for tests that call them without the adapter. */
  readonly mutations: SessionMutations;
  /** Opens the same checkout in a second tab, which is another attempt of the same order. */
  openSecondTab(orderId: string): Promise<PlacedOrder>;
};

/**
 * Creates a shop that behaves like Shopify's Payments Apps API: it posts a payment session to us, accepts mutations (resolved,
 * pending, rejected) and can never be read. The posted sessions are stored in `records`. The group identifies the order, the
 * gid the attempt.
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
  const connect = (wrap = withoutWrapping) =>
    createWriteOnlyAdapter({
      storeId,
      origin: "https://write-only.example",
      mutations: wrap(mutations),
      records: wrap(records),
      now: clock.now,
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
    placeOrder: (input) => post(shop.beginCheckout(input)),
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
    setRefusing: network.setRefusing,
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
