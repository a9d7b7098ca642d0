import type { Clock } from "@tillkit/core";
import { filterEffects, type MiniatureStore, type PlacedOrder, withoutWrapping } from "../miniature-store.ts";
import { createNetworkLink } from "../network-link.ts";
import { createReadThenWriteAdapter } from "./read-then-write-adapter.ts";
import {
  createReadThenWriteShop,
  type OrderStatus,
  type OrdersApi,
  type RestRefund,
  shopTotal,
} from "./read-then-write-shop.ts";

const REQUEST_TIMEOUT_MS = 5_000;

export type ReadThenWriteStore = MiniatureStore & {
  readonly kind: "read-then-write";
  /** The shop's REST API, for tests that write to the shop without the adapter. */
  readonly rest: OrdersApi;
  /** The owner edits the order on its screen, which accepts any currency and any decimals. */
  editOrder(orderId: string, change: { readonly total?: string; readonly currency?: string }): void;
  /** The owner moves the order to the trash. The API still returns the order but ignores writes to it. */
  trash(orderId: string): void;
  /** The owner selects a status on the order's screen. A status that means paid sets the payment date but no transaction. */
  setStatus(orderId: string, status: OrderStatus): void;
  /** The owner accepts cash for the order. */
  payOutside(orderId: string): void;
  refunds(orderId: string): readonly RestRefund[];
};

/**
 * Creates a shop that behaves like WooCommerce over REST: no write is conditional, `set_paid` works only on pending and failed
 * orders, and two concurrent writes reduce the stock twice.
 */
export function createReadThenWriteStore(options: {
  readonly clock: Clock;
  readonly storeId?: string;
}): ReadThenWriteStore {
  const { clock, storeId = "read-then-write-shop" } = options;
  const network = createNetworkLink(clock, REQUEST_TIMEOUT_MS);
  const shop = createReadThenWriteShop(clock, network);
  const connect = (wrap = withoutWrapping) =>
    createReadThenWriteAdapter({
      storeId,
      environment: "test",
      origin: "https://read-then-write.example",
      rest: wrap(shop.rest),
      now: clock.now,
    });
  const placedOrder = ({ id }: { id: string }): PlacedOrder => ({ ref: { storeId, orderId: id }, attempt: "" });

  return {
    kind: "read-then-write",
    storeId,
    adapter: connect(),
    connect,
    rest: shop.rest,
    placeOrder: async (input) => placedOrder(shop.placeOrder(input)),
    editTotal: async (orderId, total) => placedOrder(shop.edit(orderId, shopTotal(total))),
    cancelOrder: (orderId) => {
      shop.edit(orderId, { status: "cancelled" });
    },
    editOrder: (orderId, change) => {
      shop.edit(orderId, change);
    },
    trash: (orderId) => {
      shop.edit(orderId, { status: "trash" });
    },
    payOutside: (orderId) => {
      shop.edit(orderId, { status: "processing", date_paid: clock.now(), payment_method: "cash" });
    },
    setStatus: (orderId, status) => {
      const { date_paid } = shop.order(orderId);
      const isPaid = status === "processing" || status === "completed";
      shop.edit(orderId, { status, date_paid: isPaid ? (date_paid ?? clock.now()) : date_paid });
    },
    refunds: shop.refunds,
    failNextWrite: network.failNextWrite,
    clearFaults: network.clearFaults,
    setDown: network.setDown,
    setRefusing: network.setRefusing,
    setLatency: network.setLatency,
    heal: network.heal,
    probe: {
      effects: (orderId) => filterEffects(shop.effects, orderId),
      paidBy: (orderId) => shop.order(orderId).transaction_id || null,
      isPaidOutside: (orderId) => {
        const { date_paid, payment_method } = shop.order(orderId);
        return date_paid !== null && payment_method !== "tillkit";
      },
      refunds: (orderId) => shop.refunds(orderId).map(({ reason }) => reason),
      status: (orderId) => shop.order(orderId).status,
      statuses: (orderId) => shop.statuses(orderId),
      isPaidManually: (orderId) => {
        const { date_paid, payment_method, transaction_id } = shop.order(orderId);
        return date_paid !== null && payment_method === "tillkit" && transaction_id === "";
      },
      // The adapter ends each note with its kind and key in brackets.
      holds: async (orderId) => shop.notes(orderId).filter((note) => note.includes("[hold ")),
      notes: async (orderId) => shop.notes(orderId).filter((note) => note.includes("[note ")),
    },
  };
}
