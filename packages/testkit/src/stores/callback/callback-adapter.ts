import {
  type Environment,
  explainFinding,
  type Finding,
  findingKey,
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
    if (!cart) return { outcome: "gone" };
    if (cart.order) return answerShown(cart, paymentId, "already");
    if (!sameMoney(cart.total, receipt.total)) return { outcome: "not-payable", why: { kind: "total_changed" } };
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
    holdForReview: (ref, _attempt, finding) => annotate(ref, `hold:${findingKey(finding)}`, describeFinding(finding)),
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
  if (!completion.retryable) return { outcome: "not-payable", why: completion.reason };
  throw new StoreError("unavailable", `The shop made no order (${completion.reason.kind}). Try again.`);
}

/** The answer for a completed cart. `ownOutcome`: the outcome if the order shows this payment. */
function answerShown(cart: Cart, paymentId: string, ownOutcome: "recorded" | "already"): StoreAnswer {
  const paidBy = paidByOf(cart);
  if (paidBy === paymentId) return { outcome: ownOutcome, evidence: "read-back" };
  if (paidBy !== null) return { outcome: "other-payment", paidBy };
  throw new StoreError("unknown", "The shop completed the cart but shows no order. Check again.");
}

function paidByOf({ order }: Cart): string | null {
  return order && (order.paymentId ?? "outside");
}

function describeFinding(finding: Finding): string {
  return `Payment held for review: ${explainFinding(finding, "en")}`;
}
