import {
  type Environment,
  type Finding,
  type Order,
  type OrderRef,
  type Receipt,
  type StoreAdapter,
  type StoreAnswer,
  StoreError,
  sameMoney,
} from "@tillkit/core";
import type { NetworkLink } from "../network-link.ts";
import type { CallbackShop, Cart, Completion } from "./callback-shop.ts";

export type CallbackConnection = {
  readonly storeId: string;
  readonly environment: Environment;
  readonly origin: string;
  readonly shop: CallbackShop;
  readonly network: NetworkLink;
};

/** Marks an order paid by completing its cart. The shop calls us back to authorize the payment before it completes the cart. */
export function createCallbackAdapter(connection: CallbackConnection): StoreAdapter {
  const { storeId, environment, origin, shop, network } = connection;

  function readCart(ref: OrderRef): Promise<Cart | null> {
    return network.read(() => (ref.storeId === storeId ? shop.cart(ref.orderId) : null));
  }

  async function findOrder(ref: OrderRef, attempt: string): Promise<Order | null> {
    const cart = await readCart(ref);
    return cart && hasAttempt(cart, attempt) ? orderOf(cart, ref, attempt, environment) : null;
  }

  async function markPaid(receipt: Receipt): Promise<StoreAnswer> {
    const { ref, attempt: sessionId, paymentId } = receipt;
    const cart = await readCart(ref);
    if (!cart) return gone(ref);
    if (cart.order) return answerShown(cart, paymentId, "already");
    if (!sameMoney(cart.total, receipt.total)) {
      return { outcome: "not-payable", detail: "The cart's total is not the amount that was verified." };
    }
    const completion = await network.write(() => shop.complete(ref.orderId, { sessionId, paymentId }));
    const refusal = refusalOf(completion);
    if (refusal) return refusal;
    return answerShown((await readCart(ref)) ?? cart, paymentId, "recorded");
  }

  /** Writes metadata to the payment collection, once per key. The owner sees the text on the order. */
  async function annotate(ref: OrderRef, key: string, text: string): Promise<void> {
    const cart = await readCart(ref);
    if (cart && !cart.metadata.has(key)) await network.write(() => cart.metadata.set(key, text));
  }

  return {
    platform: "miniature-callback",
    writes: { kind: "conditional" },
    findOrder,
    markPaid,
    holdForReview: (ref, _attempt, finding) =>
      annotate(ref, `hold:${JSON.stringify(finding)}`, describeFinding(finding)),
    addNote: (ref, key, text) => annotate(ref, `note:${key}`, text),
    shopperUrl: async (ref, _attempt, outcome) =>
      `${origin}/checkout/${outcome}?collection=${encodeURIComponent(ref.orderId)}`,
  };
}

function hasAttempt(cart: Cart, attempt: string): boolean {
  return cart.session.id === attempt || cart.deletedSessions.has(attempt);
}

function orderOf(cart: Cart, ref: OrderRef, attempt: string, environment: Environment): Order {
  const { total, title, language } = cart;
  const payable = cart.closed === null && cart.order === null;
  return { ref, attempt, total, title, language, environment, payable, paidBy: paidByOf(cart) };
}

/** @throws StoreError if a later call may succeed */
function refusalOf(completion: Completion): StoreAnswer | null {
  if (completion.status === "order") return null;
  if (completion.status === "busy") {
    throw new StoreError("unavailable", "The cart stayed locked for 30 seconds. Try again.");
  }
  if (!completion.retryable) return { outcome: "not-payable", detail: completion.reason };
  throw new StoreError("unavailable", `The shop made no order because ${completion.reason}. Try again.`);
}

/** The answer for a completed cart. `ownOutcome`: the outcome if the order shows this payment. */
function answerShown(cart: Cart, paymentId: string, ownOutcome: "recorded" | "already"): StoreAnswer {
  const paidBy = paidByOf(cart);
  if (paidBy === paymentId) return { outcome: ownOutcome, evidence: "read-back" };
  if (paidBy !== null) return { outcome: "other-payment", detail: `The order shows the payment ${paidBy}.` };
  throw new StoreError("unknown", "The shop completed the cart but shows no order. Check again.");
}

function paidByOf({ order }: Cart): string | null {
  return order && (order.paymentId ?? "outside");
}

function gone(ref: OrderRef): StoreAnswer {
  return { outcome: "gone", detail: `The shop has no payment collection ${ref.orderId}.` };
}

function describeFinding({ code, expected, found }: Finding): string {
  return `Payment held for review (${code}): expected ${expected}, found ${found}.`;
}
