import type { Environment, Language, Order, OrderRef, StoreAdapter } from "@tillkit/core";
import { readCartWords } from "../shop/cart.ts";
import { readCollection, totalOf } from "../shop/collection.ts";
import type { MedusaContainer } from "../shop/medusa-container.ts";
import { proofOf, sessionOf } from "../shop/proof.ts";
import { markPaid } from "./mark-paid.ts";

export type MedusaAdapterOptions = {
  readonly container: MedusaContainer;
  readonly storeId: string;
  readonly environment: Environment;
  /** For carts that do not say. */
  readonly language: Language;
  /** Where shoppers go when nobody knows better. */
  readonly shopUrl: string;
};

/**
 * A Medusa shop as the engine sees it: what must be paid once is a payment collection, a try is one of its payment sessions.
 * Medusa completes a cart under a lock of its own and has one payment a session, so a second write changes nothing.
 */
export function createMedusaAdapter(options: MedusaAdapterOptions): StoreAdapter {
  const { container, storeId, environment, language, shopUrl } = options;

  async function findOrder(ref: OrderRef, attempt: string): Promise<Order | null> {
    const collection = ref.storeId === storeId ? await readCollection(container, ref.orderId) : null;
    if (!collection) return null;
    const paidBy = proofOf(collection);
    // Medusa deletes the sessions of a cart that changed: such a try is nobody's any more.
    if (paidBy === null && !sessionOf(collection, attempt)) return null;
    const words = await readCartWords(container, collection.cartId, language);
    const payable = paidBy === null && !collection.isCanceled;
    return { ref, attempt, total: totalOf(collection), ...words, environment, payable, paidBy };
  }

  return {
    platform: "medusa",
    writes: { kind: "conditional" },
    findOrder,
    markPaid: (receipt) => markPaid(container, storeId, receipt),
    holdForReview: async () => {},
    buyerUrl: async () => shopUrl,
  };
}
