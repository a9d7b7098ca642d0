import type { Clock } from "@tillkit/core";
import { effectsOf, type MiniatureStore, nothingHolds, type PlacedOrder } from "../miniature-store.ts";
import { createShopWire } from "../shop-wire.ts";
import { createBlindAdapter } from "./blind-adapter.ts";
import { type BlindRest, type BlindStatus, createBlindShop, type RestRefund, shopTotal } from "./blind-shop.ts";

const REQUEST_TIMEOUT_MS = 5_000;

export type BlindStore = MiniatureStore & {
  readonly kind: "blind";
  /** The shop's own interface, for tests that write past the adapter. */
  readonly rest: BlindRest;
  /** The owner writes into the order what the order screen lets her: any currency, any decimals. */
  rewrite(orderId: string, change: { readonly total?: string; readonly currency?: string }): void;
  /** The owner puts the order into the bin. It still answers, and ignores what it is told. */
  trash(orderId: string): void;
  /** The owner picks a status on the order's screen. One that means paid sets the date of payment, and no transaction. */
  setStatus(orderId: string, status: BlindStatus): void;
  /** The owner takes cash for the order. */
  payOutside(orderId: string): void;
  refunds(orderId: string): readonly RestRefund[];
};

/**
 * A shop as WooCommerce is over REST: it is read and then written, no write is conditional, `set_paid` works only on pending
 * and failed orders, and two writes at the same time take stock twice.
 */
export function createBlindStore(options: { readonly clock: Clock; readonly storeId?: string }): BlindStore {
  const { clock, storeId = "blind-shop" } = options;
  const wire = createShopWire(clock, REQUEST_TIMEOUT_MS);
  const shop = createBlindShop(clock, wire);
  const connect = (hold = nothingHolds) =>
    createBlindAdapter({ storeId, environment: "test", origin: "https://blind.example", rest: hold(shop.rest) });
  const placed = ({ id }: { id: string }): PlacedOrder => ({ ref: { storeId, orderId: id }, attempt: "" });

  return {
    kind: "blind",
    storeId,
    adapter: connect(),
    connect,
    rest: shop.rest,
    placeOrder: async (want) => placed(shop.placeOrder(want)),
    editTotal: async (orderId, total) => placed(shop.edit(orderId, shopTotal(total))),
    cancelOrder: (orderId) => {
      shop.edit(orderId, { status: "cancelled" });
    },
    rewrite: (orderId, change) => {
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
    failNextWrite: wire.failNextWrite,
    forgetFaults: wire.forgetFaults,
    setDown: wire.setDown,
    setLatency: wire.setLatency,
    heal: wire.heal,
    probe: {
      effects: (orderId) => effectsOf(shop.effects, orderId),
      paidBy: (orderId) => shop.order(orderId).transaction_id || null,
      status: (orderId) => shop.order(orderId).status,
      statuses: (orderId) => shop.statuses(orderId),
      isPaidByHand: (orderId) => {
        const { date_paid, payment_method, transaction_id } = shop.order(orderId);
        return date_paid !== null && payment_method === "tillkit" && transaction_id === "";
      },
      holds: async (orderId) => shop.notes(orderId).filter((note) => note.includes("[hold ")),
      notes: async (orderId) => shop.notes(orderId).filter((note) => note.includes("[note ")),
    },
  };
}
