import { explainFinding, type Order, type OrderRef, parseMoney, type StoreAdapter } from "@tillkit/core";
import { MUTATION_WAITS_MS } from "../limits.ts";
import { shopHandle } from "../shop/shop-domain.ts";
import { type OffsiteParts, openOffsiteShop } from "./offsite-shop.ts";
import type { PaymentSession } from "./payment-sessions.ts";
import { tellPaid } from "./tell-paid.ts";
import { tellPending, tellRefused } from "./tell-unpaid.ts";

/** Order = group, attempt = gid. What it knows of an order is what Shopify posted; what it tells is acknowledged, never read. */
export function createOffsiteAdapter(shop: string, parts: OffsiteParts): StoreAdapter {
  const offsite = openOffsiteShop(shop, parts);
  const { claims, lines, shops, originOf, findSession } = offsite;
  return {
    platform: "shopify",
    name: shopHandle(shop),
    writes: { kind: "conditional" },
    retryScheduleMs: MUTATION_WAITS_MS,
    async findOrder(ref, attempt) {
      const session = await findSession(ref, attempt);
      if (!session) return null;
      const claim = await claims.find(ref);
      const paidBy = claim?.state === "told" ? claim.paymentId : null;
      return orderOf(shop, session, ref, { paidBy, payable: paidBy === null && session.rejectedAt === null });
    },
    markPaid: (receipt) => tellPaid(offsite, receipt),
    markRefused: (ref, attempt) => tellRefused(offsite, ref, attempt),
    markPending: (ref, attempt, until) => tellPending(offsite, ref, attempt, until),
    async holdForReview(ref, attempt, finding) {
      const session = await findSession(ref, attempt);
      if (!session) return;
      const text = `${session.id}: ${explainFinding(finding, await shops.languageOf(shop))}`;
      await lines.add(ref, JSON.stringify(finding), { kind: "hold", text });
    },
    addNote: (ref, key, text) => lines.add(ref, key, { kind: "note", text }),
    async shopperUrl(ref, attempt, outcome) {
      const session = await findSession(ref, attempt);
      if (!session) return originOf(shop);
      if (session.nextUrl !== null) return session.nextUrl;
      // Back in the checkout, somebody who has paid would only pay again.
      return outcome === "paid" ? originOf(shop) : session.cancelUrl;
    },
  };
}

type Standing = Pick<Order, "paidBy" | "payable">;

function orderOf(shop: string, session: PaymentSession, ref: OrderRef, standing: Standing): Order {
  return {
    ref,
    attempt: session.gid,
    total: parseMoney(session.amount, session.currency),
    // Shopify wants its id in the provider's own records.
    title: `${shop} ${session.id}`,
    language: session.language,
    environment: session.test ? "test" : "live",
    ...standing,
  };
}
