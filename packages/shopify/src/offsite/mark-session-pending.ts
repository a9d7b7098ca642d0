import type { OrderRef } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";
import { pendPayment } from "../operations/payments-operations.ts";
import { describeUserErrors } from "../shopify-api/operation.ts";
import type { OffsiteStore } from "./offsite-store.ts";
import { isInState } from "./store-answers.ts";

/**
 * Marks the payment session as pending after the shopper acted on the hosted page, until the money arrives. Shopify creates an
 * order for a pending session even if the shopper never returns. `until` in milliseconds since 1970.
 */
export async function markSessionPending(
  store: OffsiteStore,
  ref: OrderRef,
  attempt: string,
  until: number,
): Promise<void> {
  const { shop, sessions, claims, graphql, clock, log } = store;
  const session = await store.findSession(ref, attempt);
  if (!session || session.rejectedAt !== null || (await claims.find(ref)) !== null) return;
  const pendingUntil = session.pendingUntil ?? Math.min(until, clock.now() + shopifyLimits.longestPendingMs);
  if (session.pendingUntil === null) await sessions.update(shop, attempt, { pendingUntil });
  const pendingExpiresAt = new Date(pendingUntil).toISOString();
  const variables = { id: attempt, pendingExpiresAt, reason: "BUYER_ACTION_REQUIRED" };
  const payload = await graphql.call(shop, pendPayment, variables);
  if (isInState(payload, "Pending")) await store.saveNextUrl(attempt, payload);
  else log.info("shopify.pending_refused", { storeId: shop, attempt, reason: describeUserErrors(payload.userErrors) });
}
