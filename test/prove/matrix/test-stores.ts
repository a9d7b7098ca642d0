import type { Money, StoreAdapter } from "@tillkit/core";
import type { MemoryLedger } from "@tillkit/core/memory";
import { createShopAdapter, STORE_ID } from "@tillkit/example-shop/adapter";
import { CATALOGUE } from "@tillkit/example-shop/catalogue";
import { openShopDatabase } from "@tillkit/example-shop/database";
import { findOrder, newOrderKey, placeOrder, readStock } from "@tillkit/example-shop/orders";
import {
  createCallbackStore,
  createReadThenWriteStore,
  createWriteOnlyStore,
  type ManualClock,
  type MiniatureStore,
  type PlacedOrder,
} from "@tillkit/testkit";

/** A shop with its adapter and probes that read the shop itself. */
export type TestStore = {
  readonly storeId: string;
  readonly adapter: StoreAdapter;
  placeOrder(total: Money): Promise<PlacedOrder>;
  /** Stores the started payment in a shop that calls us to authorize it. */
  attachPayment(placed: PlacedOrder, paymentId: string): void;
  timesPaid(placed: PlacedOrder): Promise<number>;
  paidBy(placed: PlacedOrder): Promise<string | null>;
  close(): Promise<void>;
};

export type StoreEnvironment = {
  readonly clock: ManualClock;
  readonly ledger: MemoryLedger;
  readonly authorize: Parameters<typeof createCallbackStore>[0]["authorize"];
};

export type OpenStore = (environment: StoreEnvironment) => Promise<TestStore>;

/** Every adapter of this repository. */
export const testStores: Readonly<Record<string, OpenStore>> = {
  callback: async ({ clock, authorize }) => {
    const store = createCallbackStore({ clock, authorize });
    const attachPayment = ({ ref }: PlacedOrder, paymentId: string) => store.attachPayment(ref.orderId, paymentId);
    return { ...testStoreOf(store), attachPayment };
  },
  "read-then-write": async ({ clock }) => testStoreOf(createReadThenWriteStore({ clock })),
  "write-only": async ({ clock, ledger }) => testStoreOf(createWriteOnlyStore({ clock, records: ledger.records })),
  "example shop": openExampleShop,
};

/** Every order buys the same product, so that the stock shows how often an order was paid. */
async function openExampleShop({ clock }: StoreEnvironment): Promise<TestStore> {
  const shop = await openShopDatabase("sqlite::memory:");
  const [product] = CATALOGUE;
  if (!product) throw new Error("The catalogue is empty.");
  const adapter = createShopAdapter(shop, { publicUrl: "https://shop.example", environment: "test", now: clock.now });
  return {
    storeId: STORE_ID,
    adapter,
    async placeOrder(total) {
      const key = newOrderKey();
      const basket = { currency: total.currency, lines: [{ product, quantity: 1 }], total };
      await placeOrder(shop, { key, pickupName: "Awa", language: "fr", basket, placedAt: clock.now() });
      const order = await findOrder(shop.db, { key });
      return { ref: { storeId: STORE_ID, orderId: order?.id ?? "" }, attempt: "" };
    },
    attachPayment: () => {},
    timesPaid: async () => product.stock - ((await readStock(shop.db)).get(product.id) ?? 0),
    paidBy: async ({ ref }) => (await findOrder(shop.db, { id: ref.orderId }))?.paymentId ?? null,
    close: () => shop.close(),
  };
}

function testStoreOf(store: MiniatureStore): TestStore {
  return {
    storeId: store.storeId,
    adapter: store.adapter,
    placeOrder: (total) => store.placeOrder({ total, title: "Deux paniers", language: "fr" }),
    attachPayment: () => {},
    timesPaid: async ({ ref }) => store.probe.effects(ref.orderId).length,
    paidBy: async ({ ref }) => store.probe.paidBy(ref.orderId),
    close: async () => {},
  };
}
