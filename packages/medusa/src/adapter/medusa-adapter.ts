import { createHash } from "node:crypto";
import type { Environment, Finding, Language, Log, Order, OrderRef, StoreAdapter } from "@tillkit/core";
import { readCartWords } from "../shop/cart.ts";
import { readCollection, totalOf } from "../shop/collection.ts";
import type { MedusaContainer } from "../shop/medusa-container.ts";
import { isGivenUp } from "../shop/order.ts";
import { paidByOf, sessionOf } from "../shop/proof.ts";
import { markPaid } from "./mark-paid.ts";
import { tellOwner } from "./notices.ts";
import { recordRefund } from "./record-refund.ts";
import { sentenceOf, wordsOf } from "./words.ts";

/** The one shop that lives in this Medusa application. */
export type MedusaShop = {
  readonly container: MedusaContainer;
  readonly storeId: string;
  readonly environment: Environment;
  /** For carts that do not say, and for the owner. */
  readonly language: Language;
  /** Where shoppers go when nobody knows better. */
  readonly shopUrl: string;
  /** `notify` puts a payment that does not fit into the admin's bell; our page lists it in any case. */
  readonly onMismatch: "notify" | "list";
  readonly log: Log;
};

/**
 * A Medusa shop as the engine sees it: what must be paid once is a payment collection, a try is one of its payment sessions.
 *
 * Writes are conditional: Medusa completes a cart under its own lock, has one payment a session and one order a cart, so a
 * second or late request changes nothing. Between several processes that lock needs a shared locking module (Redis or
 * PostgreSQL), as Medusa itself asks for.
 */
export function createMedusaAdapter(shop: MedusaShop): StoreAdapter {
  const { container, storeId, environment, language, shopUrl, log } = shop;

  async function findOrder(ref: OrderRef, attempt: string): Promise<Order | null> {
    const collection = ref.storeId === storeId ? await readCollection(container, ref.orderId) : null;
    if (!collection) return null;
    const { paidBy, ...setPaid } = paidByOf(collection);
    // Medusa deletes the sessions of a cart that changed: such a try is nobody's any more.
    if (paidBy === null && !sessionOf(collection, attempt)) return null;
    const words = await readCartWords(container, collection.cartId, language);
    const payable = paidBy === null && !(await isGivenUp(container, collection));
    return { ref, attempt, total: totalOf(collection), ...words, environment, payable, paidBy, ...setPaid };
  }

  async function holdForReview(ref: OrderRef, attempt: string, finding: Finding): Promise<void> {
    if (shop.onMismatch === "list") return;
    const key = `hold:${ref.orderId}:${attempt}:${digest(JSON.stringify(finding))}`;
    await tellOwner(container, log, {
      key,
      title: wordsOf(language).heldTitle,
      text: sentenceOf(finding, language),
    });
  }

  return {
    platform: "medusa",
    writes: { kind: "conditional" },
    findOrder,
    markPaid: (receipt) => markPaid(container, storeId, receipt),
    holdForReview,
    recordRefund: (refund) => recordRefund(shop, refund),
    addNote: (ref, key, text) =>
      tellOwner(container, log, { key: `note:${ref.orderId}:${key}`, title: wordsOf(language).noteTitle, text }),
    shopperUrl: async () => shopUrl,
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
