import type { Clock, Language, Money, NotPayable, Verdict } from "@tillkit/core";
import type { Effect, OrderInput } from "../miniature-store.ts";
import { createCartLock } from "./cart-lock.ts";

/** A cart that becomes an order. Its payment collection must be paid once. A payment session is one attempt to pay the collection. */
export type Cart = {
  readonly collectionId: string;
  readonly title: string;
  readonly language: Language;
  total: Money;
  session: { readonly id: string; paymentId: string | null };
  readonly deletedSessions: Set<string>;
  closed: "cancelled" | "sold_out" | null;
  order: CartOrder | null;
  readonly metadata: Map<string, string>;
};

/** `paymentId` is null if the order was paid by something other than our payment. */
export type CartOrder = { readonly number: string; readonly paymentId: string | null };

/**
 * The result of completing a cart. `not-allowed`: the shop made no order; `retryable` says whether a later call may succeed.
 * `busy`: another request held the cart's lock for too long.
 */
export type Completion =
  | { readonly status: "order"; readonly order: CartOrder }
  | { readonly status: "not-allowed"; readonly reason: NotPayable; readonly retryable: boolean }
  | { readonly status: "busy" };

export type CallbackShop = {
  placeCart(input: OrderInput): Cart;
  cart(collectionId: string): Cart | null;
  /** Changes the cart: deletes its payment session and creates a new one. */
  changeCart(collectionId: string, total: Money): Promise<Cart>;
  /**
   * Completes a cart, which pays its order. The shop locks the cart and, while it holds the lock, calls us to ask whether the
   * payment of the cart's session has arrived. The shop never compares amounts itself. Completing a completed cart returns the
   * same order. `received`: a payment that the adapter reports; the shop stores it with the cart's session.
   */
  complete(collectionId: string, received?: { sessionId: string; paymentId: string }): Promise<Completion>;
  readonly effects: readonly Effect[];
};

/** The callback that the shop makes while it holds the cart's lock. In production this is `verifyPayment`. */
export type Authorize = (paymentId: string) => Promise<{ readonly status: Verdict["status"] }>;

export function createCallbackShop(clock: Clock, authorize: Authorize): CallbackShop {
  const carts = new Map<string, Cart>();
  const effects: Effect[] = [];
  const lock = createCartLock(clock);
  let sessionCount = 0;

  function newSession(): Cart["session"] {
    sessionCount += 1;
    return { id: `payses_${String(sessionCount).padStart(6, "0")}`, paymentId: null };
  }

  function placeCart({ total, title, language }: OrderInput): Cart {
    const collectionId = `pay_col_${String(carts.size + 1).padStart(6, "0")}`;
    const cart: Cart = {
      collectionId,
      title,
      language,
      total,
      session: newSession(),
      deletedSessions: new Set(),
      closed: null,
      order: null,
      metadata: new Map(),
    };
    carts.set(collectionId, cart);
    return cart;
  }

  async function changeCart(collectionId: string, total: Money): Promise<Cart> {
    const cart = mustFind(carts, collectionId);
    const changed = await lock.run(collectionId, async () => {
      if (cart.order) return cart;
      cart.deletedSessions.add(cart.session.id);
      cart.session = newSession();
      cart.total = total;
      return cart;
    });
    if (changed === "busy") throw new Error("The cart stayed locked for 30 seconds.");
    return changed;
  }

  async function completeLocked(cart: Cart, received?: { sessionId: string; paymentId: string }): Promise<Completion> {
    const earlier = completionOf(cart) ?? refusalOf(cart, received?.sessionId);
    if (earlier) return earlier;
    if (received) cart.session.paymentId = received.paymentId;
    const { session } = cart;
    if (session.paymentId === null) return notAllowed({ kind: "order_changed" }, { retryable: true });
    const { paymentId } = session;
    const answer = await authorize(paymentId).catch(() => null);
    if (answer?.status !== "paid" && answer?.status !== "recorded") {
      const retryable = answer === null || UNDECIDED.includes(answer.status);
      return notAllowed({ kind: "refused_by_platform", code: answer?.status ?? null }, { retryable });
    }
    // Check again: the owner may have changed the cart meanwhile, and an expired lock does not exclude other requests.
    const meanwhile = completionOf(cart) ?? refusalOf(cart, session.id);
    if (meanwhile) return meanwhile;
    cart.order = { number: `#${1000 + effects.length + 1}`, paymentId };
    const { collectionId, total } = cart;
    effects.push({ orderId: collectionId, attempt: session.id, paymentId, total, at: clock.now() });
    return { status: "order", order: cart.order };
  }

  return {
    effects,
    placeCart,
    changeCart,
    cart: (collectionId) => carts.get(collectionId) ?? null,
    complete: async (collectionId, received) => {
      const completion = await lock.run(collectionId, () => completeLocked(mustFind(carts, collectionId), received));
      return completion === "busy" ? { status: "busy" } : completion;
    },
  };
}

/** The verdicts after which the payment may still arrive. */
const UNDECIDED: readonly string[] = ["wait", "expired", "unreadable"];

function completionOf(cart: Cart): Completion | null {
  return cart.order && { status: "order", order: cart.order };
}

function refusalOf(cart: Cart, sessionId: string | undefined): Completion | null {
  if (cart.closed) return notAllowed({ kind: cart.closed }, { retryable: false });
  if (sessionId === undefined || sessionId === cart.session.id) return null;
  return notAllowed({ kind: "order_changed" }, { retryable: false });
}

function notAllowed(reason: NotPayable, { retryable }: { readonly retryable: boolean }): Completion {
  return { status: "not-allowed", reason, retryable };
}

function mustFind(carts: ReadonlyMap<string, Cart>, collectionId: string): Cart {
  const cart = carts.get(collectionId);
  if (!cart) throw new Error(`This shop has no cart of the payment collection ${collectionId}.`);
  return cart;
}
