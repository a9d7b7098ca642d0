import { explainFinding, findingKey, type Order, type OrderRef, parseMoney, type StoreAdapter } from "@tillkit/core";
import { MUTATION_RETRY_SCHEDULE_MS } from "../limits.ts";
import type { PaymentSession } from "../records/payment-sessions.ts";
import { brandingOf, type ShopProfile } from "../records/shops.ts";
import { shopHandle } from "../shop-domain.ts";
import { markSessionPending } from "./mark-session-pending.ts";
import { createOffsiteStore, type OffsiteStoreParts } from "./offsite-store.ts";
import { rejectPaymentSession } from "./reject-payment-session.ts";
import { resolvePaymentSession } from "./resolve-payment-session.ts";

/**
 * The store adapter of one shop with the payments extension. Payment sessions cannot be read from Shopify: what Shopify posted
 * is the order, and Shopify's answer to a mutation is the only evidence of a write.
 */
export function createOffsiteAdapter(shop: string, parts: OffsiteStoreParts, profile: ShopProfile): StoreAdapter {
  const store = createOffsiteStore(shop, parts);
  const { claims, customers, clock, notices, shops, shopUrl, findSession } = store;
  return {
    platform: "shopify",
    name: shopHandle(shop),
    branding: brandingOf(profile, shopUrl(shop)),
    writes: { kind: "conditional" },
    retryScheduleMs: MUTATION_RETRY_SCHEDULE_MS,
    async findOrder(ref, attempt) {
      const session = await findSession(ref, attempt);
      if (!session) return null;
      const [claim, customer] = await Promise.all([claims.find(ref), customers.find(shop, session.gid, clock.now())]);
      const order = toOrder(shop, session, ref, claim?.state === "acknowledged" ? claim.paymentId : null);
      return { ...order, customer };
    },
    markPaid: (receipt) => resolvePaymentSession(store.forOneCall(), receipt),
    markRefused: (ref, attempt) => rejectPaymentSession(store.forOneCall(), ref, attempt),
    markPending: (ref, attempt, until) => markSessionPending(store.forOneCall(), ref, attempt, until),
    async holdForReview(ref, attempt, finding) {
      const session = await findSession(ref, attempt);
      if (!session) return;
      const text = `${session.id}: ${explainFinding(finding, await shops.languageOf(shop))}`;
      await notices.add(ref, findingKey(finding), { kind: "hold", text });
    },
    async addNote(ref, key, text) {
      await notices.add(ref, key, { kind: "note", text });
    },
    async shopperUrl(ref, attempt, outcome) {
      const session = await findSession(ref, attempt);
      if (!session) return shopUrl(shop);
      if (session.nextUrl !== null) return session.nextUrl;
      // A shopper who has paid must not return to the checkout, where they could pay again.
      return outcome === "paid" ? shopUrl(shop) : session.cancelUrl;
    },
  };
}

function toOrder(shop: string, session: PaymentSession, ref: OrderRef, paidBy: string | null): Order {
  return {
    ref,
    attempt: session.gid,
    total: parseMoney(session.amount, session.currency),
    // Shopify requires the id of the session in the records of the payment provider.
    title: `${shop} ${session.id}`,
    language: session.language,
    environment: session.test ? "test" : "live",
    paidBy,
    payable: paidBy === null && session.rejectedAt === null,
  };
}
