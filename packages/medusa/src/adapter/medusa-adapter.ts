import { createHash } from "node:crypto";
import { type Finding, findingKey, type Order, type OrderRef, type StoreAdapter } from "@tillkit/core";
import { pluginLimits } from "../limits.ts";
import { readCartSummary } from "../store/cart.ts";
import { isCanceledInMedusa } from "../store/order.ts";
import { findSession, paidStatusOf } from "../store/paid-by.ts";
import { readCollection, totalOf } from "../store/payment-collection.ts";
import type { MedusaAdapterOptions } from "./adapter-options.ts";
import { notifyOwner } from "./admin-notifications.ts";
import { adminPageOf } from "./admin-page.ts";
import { isChosenAgain } from "./chosen-again.ts";
import { markPaid } from "./mark-paid.ts";
import { describeFinding, noticeTexts } from "./notice-texts.ts";
import { recordRefund } from "./record-refund.ts";

/**
 * The engine's adapter for Medusa: an order is a payment collection, an attempt is one of its payment sessions.
 *
 * The write of a payment is conditional: Medusa completes a cart under its own lock and holds one payment per session and one order per
 * cart, so a second or late request changes nothing. With several processes that lock needs a shared locking module (Redis
 * or PostgreSQL), as Medusa's documentation requires. Notifications have a key that is unique in Medusa's database. A refund has
 * none: Medusa records it as often as it is asked, so refunds are looked for before one is recorded.
 */
export function createMedusaAdapter(options: MedusaAdapterOptions): StoreAdapter {
  const { container, storeId, environment, language, storeUrl, log } = options;

  async function findOrder(ref: OrderRef, attempt: string): Promise<Order | null> {
    const collection = ref.storeId === storeId ? await readCollection(container, ref.orderId) : null;
    if (!collection) return null;
    const { paidBy, ...markedPaid } = paidStatusOf(collection);
    // Medusa deletes the sessions of a changed cart, so an attempt without its session has no order any more.
    const isLost = paidBy === null && !findSession(collection, attempt);
    if (isLost && !(await isChosenAgain(options, collection, attempt))) return null;
    const summary = await readCartSummary(container, collection.cartId, language);
    const payable = paidBy === null && !(await isCanceledInMedusa(container, collection));
    return { ref, attempt, total: totalOf(collection), ...summary, environment, payable, paidBy, ...markedPaid };
  }

  async function holdForReview(ref: OrderRef, attempt: string, finding: Finding): Promise<void> {
    // The admin page lists every held payment; with "list" the owner wants no notification besides.
    if (options.onMismatch === "note") return;
    const key = `hold:${ref.orderId}:${attempt}:${digest(findingKey(finding))}`;
    const title = noticeTexts(language).heldPaymentTitle;
    await notifyOwner(container, log, { key, title, text: describeFinding(finding, language) });
  }

  async function addNote(ref: OrderRef, key: string, text: string): Promise<void> {
    const title = noticeTexts(language).paymentNoteTitle;
    await notifyOwner(container, log, { key: `note:${ref.orderId}:${key}`, title, text });
  }

  const { name, branding, adminUrl } = options;
  return {
    platform: "medusa",
    ...(name === undefined ? {} : { name }),
    branding: { homeUrl: storeUrl, ...branding },
    // A payment collection has no page of its own in Medusa's admin. Our admin page finds the collection by its id.
    adminUrl: ({ orderId }) => adminPageOf(adminUrl, orderId),
    writes: { kind: "conditional" },
    memberWrites: { recordRefund: { kind: "read-then-write", settleAfterMs: pluginLimits.refundSettlesMs } },
    findOrder,
    markPaid: (receipt) => markPaid(options, receipt),
    holdForReview,
    recordRefund: (refund) => recordRefund(options, refund),
    addNote,
    shopperUrl: async () => storeUrl,
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
