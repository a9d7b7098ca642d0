import type { OrderRef, StoreAnswer } from "@tillkit/core";
import { firstError } from "../graphql/operation.ts";
import { pendPayment, rejectPayment } from "../graphql/payments-operations.ts";
import { shopifyLimits } from "../limits.ts";
import { moneyWords } from "./money-words.ts";
import { gone, isState, type OffsiteShop, otherPayment, tooLate } from "./offsite-shop.ts";

/**
 * Rejects the payment session: no money will come for it any more. Never because a buyer left or was declined: a rejection
 * takes this way of paying away from the checkout for good.
 */
export async function tellRefused(offsite: OffsiteShop, ref: OrderRef, attempt: string): Promise<StoreAnswer> {
  const { shop, shops, sessions, claims, graphql, clock } = offsite;
  const session = await offsite.findSession(ref, attempt);
  if (!session) return gone(attempt);
  const claim = await claims.find(ref);
  if (claim) return otherPayment(claim.paymentId);
  const wasRejected = session.rejectedAt !== null;
  // Written down first: from now on nobody opens its page, and money that comes late goes back.
  if (!wasRejected) await sessions.change(shop, attempt, { rejectedAt: clock.now() });
  const merchantMessage = moneyWords("no_payment", await shops.languageOf(shop));
  const reason = { code: "PROCESSING_ERROR", merchantMessage };
  const payload = await graphql.call(shop, rejectPayment, { id: attempt, reason });
  if (!isState(payload, "Rejected")) return tooLate(`it is over: ${firstError(payload.userErrors)}`);
  await offsite.keepNextUrl(attempt, payload);
  return { outcome: wasRejected ? "already" : "recorded", evidence: "acknowledged" };
}

/**
 * The buyer acted, and the money may take a while. Shopify makes an order of it even if they never come back, so it is never
 * told before that. `until` in milliseconds since 1970.
 */
export async function tellPending(offsite: OffsiteShop, ref: OrderRef, attempt: string, until: number): Promise<void> {
  const { shop, sessions, claims, graphql, clock, log } = offsite;
  const session = await offsite.findSession(ref, attempt);
  if (!session || session.rejectedAt !== null || (await claims.find(ref)) !== null) return;
  const pendingUntil = session.pendingUntil ?? Math.min(until, clock.now() + shopifyLimits.pendingMs);
  if (session.pendingUntil === null) await sessions.change(shop, attempt, { pendingUntil });
  const pendingExpiresAt = new Date(pendingUntil).toISOString();
  const variables = { id: attempt, pendingExpiresAt, reason: "BUYER_ACTION_REQUIRED" };
  const payload = await graphql.call(shop, pendPayment, variables);
  if (isState(payload, "Pending")) await offsite.keepNextUrl(attempt, payload);
  else log.info("shopify.pending_refused", { storeId: shop, attempt, reason: firstError(payload.userErrors) });
}
