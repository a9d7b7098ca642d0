import type { Clock } from "@tillkit/core";
import { effectsOf, type MiniatureStore, nothingHolds, type PlacedOrder } from "../miniature-store.ts";
import { createShopWire } from "../shop-wire.ts";
import { createAskingAdapter } from "./asking-adapter.ts";
import { type AskingShop, type Authorize, type Cart, createAskingShop } from "./asking-shop.ts";

/** Completing a cart includes asking us, and we may ask the service for 15 seconds. */
const REQUEST_TIMEOUT_MS = 16_000;

export type AskingStore = MiniatureStore & {
  readonly kind: "asking";
  /** The browser completes the cart by itself; null when the shop does not allow it (yet). Answers the order's number. */
  completeCart(orderId: string): Promise<string | null>;
  /** What we answered to the shop's "initiate", kept with the cart's payment session: the payment that was begun. */
  keepPayment(orderId: string, paymentId: string): void;
  /** The last piece goes to somebody else: the cart can no longer become an order. */
  sellOut(orderId: string): void;
  /** The owner takes cash for the cart. */
  payOutside(orderId: string): void;
};

/** A shop that asks us, as Medusa does, while it holds its own lock on the cart. */
export function createAskingStore(options: {
  readonly clock: Clock;
  readonly authorize: Authorize;
  readonly storeId?: string;
}): AskingStore {
  const { clock, authorize, storeId = "asking-shop" } = options;
  const shop = createAskingShop(clock, authorize);
  const wire = createShopWire(clock, REQUEST_TIMEOUT_MS);
  const connect = (hold = nothingHolds) =>
    createAskingAdapter({ storeId, environment: "test", origin: "https://asking.example", shop, wire: hold(wire) });
  const placed = (cart: Cart): PlacedOrder => ({
    ref: { storeId, orderId: cart.collectionId },
    attempt: cart.session.id,
  });
  const close = (orderId: string, reason: NonNullable<Cart["closed"]>) => {
    const cart = mustFind(shop, orderId);
    if (!cart.order) cart.closed = reason;
  };

  return {
    kind: "asking",
    storeId,
    adapter: connect(),
    connect,
    placeOrder: async (want) => placed(shop.placeCart(want)),
    editTotal: async (orderId, total) => placed(await shop.changeCart(orderId, total)),
    cancelOrder: (orderId) => close(orderId, "cancelled"),
    sellOut: (orderId) => close(orderId, "sold out"),
    payOutside: (orderId) => {
      mustFind(shop, orderId).order ??= { number: "#cash", paymentId: null };
    },
    completeCart: async (orderId) => {
      const completion = await shop.complete(orderId);
      return completion.status === "order" ? completion.order.number : null;
    },
    keepPayment: (orderId, paymentId) => {
      mustFind(shop, orderId).session.paymentId = paymentId;
    },
    failNextWrite: wire.failNextWrite,
    forgetFaults: wire.forgetFaults,
    setDown: wire.setDown,
    setLatency: wire.setLatency,
    heal: wire.heal,
    probe: {
      effects: (orderId) => effectsOf(shop.effects, orderId),
      paidBy: (orderId) => mustFind(shop, orderId).order?.paymentId ?? null,
      status: (orderId) => statusOf(mustFind(shop, orderId)),
      holds: async (orderId) => metadata(mustFind(shop, orderId), "hold:"),
      notes: async (orderId) => metadata(mustFind(shop, orderId), "note:"),
    },
  };
}

function statusOf(cart: Cart): string {
  return cart.order ? "captured" : (cart.closed ?? "awaiting");
}

function metadata(cart: Cart, prefix: string): string[] {
  return [...cart.metadata].filter(([key]) => key.startsWith(prefix)).map(([, text]) => text);
}

function mustFind(shop: AskingShop, orderId: string): Cart {
  const cart = shop.cart(orderId);
  if (!cart) throw new Error(`This shop has no payment collection ${orderId}.`);
  return cart;
}
