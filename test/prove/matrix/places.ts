import type { MemoryLedger, Money, StoreAdapter } from "@tillkit/core";
import {
  createAskingStore,
  createBlindStore,
  createTellOnlyStore,
  type ManualClock,
  type MiniatureStore,
  type PlacedOrder,
} from "@tillkit/testkit";
import { createTillAdapter, STORE_ID } from "../../../examples/shop/src/till-adapter.ts";
import { openTestShop } from "../../../examples/shop/test/test-shop.ts";

/** A shop with its adapter, and looks at the shop itself. */
export type Place = {
  readonly storeId: string;
  readonly adapter: StoreAdapter;
  placeOrder(total: Money): Promise<PlacedOrder>;
  /** The shop learns which payment the shopper went to, where it asks us later. */
  began(placed: PlacedOrder, paymentId: string): void;
  timesPaid(placed: PlacedOrder): Promise<number>;
  paidBy(placed: PlacedOrder): Promise<string | null>;
  close(): Promise<void>;
};

export type Surroundings = {
  readonly clock: ManualClock;
  readonly ledger: MemoryLedger;
  readonly authorize: Parameters<typeof createAskingStore>[0]["authorize"];
};

export type Opener = (around: Surroundings) => Promise<Place>;

/** Every adapter of this repository. */
export const places: Readonly<Record<string, Opener>> = {
  asking: async ({ clock, authorize }) => {
    const store = createAskingStore({ clock, authorize });
    const began = ({ ref }: PlacedOrder, paymentId: string) => store.keepPayment(ref.orderId, paymentId);
    return { ...miniature(store), began };
  },
  blind: async ({ clock }) => miniature(createBlindStore({ clock })),
  "tell-only": async ({ clock, ledger }) => miniature(createTellOnlyStore({ clock, records: ledger.records })),
  "example shop": async ({ clock }) => {
    const shop = await openTestShop();
    return {
      storeId: STORE_ID,
      adapter: createTillAdapter(shop.database, {
        publicUrl: "https://shop.example",
        environment: "test",
        now: clock.now,
      }),
      placeOrder: (total) => shop.placeOrder({ total, language: "fr" }),
      began: () => {},
      timesPaid: shop.probe.timesPaid,
      paidBy: shop.probe.paidBy,
      close: async () => void (await shop.close()),
    };
  },
};

function miniature(store: MiniatureStore): Place {
  return {
    storeId: store.storeId,
    adapter: store.adapter,
    placeOrder: (total) => store.placeOrder({ total, title: "Deux paniers", language: "fr" }),
    began: () => {},
    timesPaid: async ({ ref }) => store.probe.effects(ref.orderId).length,
    paidBy: async ({ ref }) => store.probe.paidBy(ref.orderId),
    close: async () => {},
  };
}
