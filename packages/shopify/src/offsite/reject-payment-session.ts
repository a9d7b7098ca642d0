import type { OrderRef, StoreAnswer } from "@tillkit/core";
import { rejectPayment } from "../operations/payments-operations.ts";
import { rejectionText } from "../texts/rejection-texts.ts";
import type { OffsiteStore } from "./offsite-store.ts";
import { isInState, SESSION_UNKNOWN } from "./store-answers.ts";

/**
 * Rejects the payment session when no money can arrive for it any more. A cancelled or declined payment does not reject it,
 * because a rejection removes our payment method from the checkout for good.
 */
export async function rejectPaymentSession(store: OffsiteStore, ref: OrderRef, attempt: string): Promise<StoreAnswer> {
  const { shop, shops, sessions, claims, graphql, clock } = store;
  const session = await store.findSession(ref, attempt);
  if (!session) return SESSION_UNKNOWN;
  const claim = await claims.find(ref);
  if (claim) return { outcome: "other-payment", paidBy: claim.paymentId };
  const wasRejected = session.rejectedAt !== null;
  // Stored before Shopify is called: from now on the session's pay link opens no checkout, and a late payment is refunded.
  if (!wasRejected) await sessions.update(shop, attempt, { rejectedAt: clock.now() });
  const merchantMessage = rejectionText("payment_expired", await shops.languageOf(shop));
  const reason = { code: "PROCESSING_ERROR", merchantMessage };
  const payload = await graphql.call(shop, rejectPayment, { id: attempt, reason });
  if (!isInState(payload, "Rejected"))
    return { outcome: "not-payable", why: { kind: "refused_by_platform", code: payload.userErrors[0]?.code ?? null } };
  await store.saveNextUrl(attempt, payload);
  return { outcome: wasRejected ? "already" : "recorded", evidence: "acknowledged" };
}
