import type { Clock } from "@tillkit/core";
import { filterEffects, type MiniatureStore, type PlacedOrder, withoutWrapping } from "../miniature-store.ts";
import { createNetworkLink } from "../network-link.ts";
import { createCallbackAdapter } from "./callback-adapter.ts";
import { type Authorize, type CallbackShop, type Cart, createCallbackShop } from "./callback-shop.ts";

/** Longer than the completion of a cart takes: the shop calls us back, and we may wait for the service for 15 seconds. */
const REQUEST_TIMEOUT_MS = 16_000;

export type CallbackStore = MiniatureStore & {
  readonly kind: "callback";
  /** The browser completes the cart. Returns the order's number, or null if the shop makes no order now. */
  completeCart(orderId: string): Promise<string | null>;
  /** Stores the payment that we started, our answer to the shop's "initiate" call, with the cart's payment session. */
  attachPayment(orderId: string, paymentId: string): void;
  /** Sells the last piece to somebody else, so that the cart can no longer become an order. */
  sellOut(orderId: string): void;
  /** The owner accepts cash for the cart. */
  payOutside(orderId: string): void;
};

/** Creates a shop that, like Medusa, calls us to authorize a payment while it holds its own lock on the cart. */
export function createCallbackStore(options: {
  readonly clock: Clock;
  readonly authorize: Authorize;
  readonly storeId?: string;
}): CallbackStore {
  const { clock, authorize, storeId = "callback-shop" } = options;
  const shop = createCallbackShop(clock, authorize);
  const network = createNetworkLink(clock, REQUEST_TIMEOUT_MS);
  const connect = (wrap = withoutWrapping) =>
    createCallbackAdapter({
      storeId,
      environment: "test",
      origin: "https://callback.example",
      shop,
      network: wrap(network),
    });
  const placedOrder = (cart: Cart): PlacedOrder => ({
    ref: { storeId, orderId: cart.collectionId },
    attempt: cart.session.id,
  });
  const close = (orderId: string, reason: NonNullable<Cart["closed"]>) => {
    const cart = mustFind(shop, orderId);
    if (!cart.order) cart.closed = reason;
  };

  return {
    kind: "callback",
    storeId,
    adapter: connect(),
    connect,
    placeOrder: async (input) => placedOrder(shop.placeCart(input)),
    editTotal: async (orderId, total) => placedOrder(await shop.changeCart(orderId, total)),
    cancelOrder: (orderId) => close(orderId, "cancelled"),
    sellOut: (orderId) => close(orderId, "sold_out"),
    payOutside: (orderId) => {
      mustFind(shop, orderId).order ??= { number: "#cash", paymentId: null };
    },
    completeCart: async (orderId) => {
      const completion = await shop.complete(orderId);
      return completion.status === "order" ? completion.order.number : null;
    },
    attachPayment: (orderId, paymentId) => {
      mustFind(shop, orderId).session.paymentId = paymentId;
    },
    failNextWrite: network.failNextWrite,
    clearFaults: network.clearFaults,
    setDown: network.setDown,
    setRefusing: network.setRefusing,
    setLatency: network.setLatency,
    heal: network.heal,
    probe: {
      effects: (orderId) => filterEffects(shop.effects, orderId),
      paidBy: (orderId) => mustFind(shop, orderId).order?.paymentId ?? null,
      status: (orderId) => statusOf(mustFind(shop, orderId)),
      holds: async (orderId) => metadataTexts(mustFind(shop, orderId), "hold:"),
      notes: async (orderId) => metadataTexts(mustFind(shop, orderId), "note:"),
    },
  };
}

function statusOf(cart: Cart): string {
  return cart.order ? "captured" : (cart.closed ?? "awaiting");
}

function metadataTexts(cart: Cart, prefix: string): string[] {
  return [...cart.metadata].filter(([key]) => key.startsWith(prefix)).map(([, text]) => text);
}

function mustFind(shop: CallbackShop, orderId: string): Cart {
  const cart = shop.cart(orderId);
  if (!cart) throw new Error(`This shop has no payment collection ${orderId}.`);
  return cart;
}
