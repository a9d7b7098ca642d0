import { codeOf, type Receipt, type StoreAnswer, StoreError, type StoreErrorCode } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";
import { resolvePayment, type SessionPayload } from "../operations/payments-operations.ts";
import type { PaymentSession } from "../records/payment-sessions.ts";
import { describeUserErrors } from "../shopify-api/operation.ts";
import type { OffsiteStore } from "./offsite-store.ts";
import { acknowledged, closed, gone, isInState, paidByOther } from "./store-answers.ts";

/** Resolves the payment session for one payment of its group. Before Shopify is called, the ledger stores which payment it is. */
export async function resolvePaymentSession(store: OffsiteStore, receipt: Receipt): Promise<StoreAnswer> {
  const { ref, attempt, paymentId } = receipt;
  const session = await store.findSession(ref, attempt);
  if (!session) return gone(attempt);
  if (session.rejectedAt !== null) return closed("we have rejected it");
  const { claims } = store;
  const claim = await claims.claim(ref, { paymentId, state: "pending" });
  if (claim.paymentId !== paymentId) return paidByOther(claim.paymentId);
  if (claim.state === "acknowledged") return acknowledged("already", session.nextUrl);
  try {
    return await resolve(store, session, receipt);
  } catch (error) {
    // No request of ours can still resolve the session, so another payment of the group may be tried.
    if (claim.isFirst && NOTHING_HAPPENED.has(codeOf(error))) await claims.release(ref, paymentId);
    throw error;
  }
}

const NOTHING_HAPPENED: ReadonlySet<string> = new Set<StoreErrorCode>(["unavailable", "reconnect"]);

async function resolve(store: OffsiteStore, session: PaymentSession, receipt: Receipt): Promise<StoreAnswer> {
  const { ref, attempt, paymentId } = receipt;
  const payload = await store.graphql.call(store.shop, resolvePayment, { id: attempt });
  if (isInState(payload, "Resolved")) {
    const nextUrl = await store.saveNextUrl(attempt, payload);
    await store.claims.claim(ref, { paymentId, state: "acknowledged" });
    return acknowledged(nextUrl === null ? "already" : "recorded", nextUrl ?? session.nextUrl);
  }
  const answer = await answerToRefusal(store, session, payload);
  await store.claims.release(ref, paymentId);
  return answer;
}

/**
 * Shopify refuses to resolve a session with one message for several causes and no code. A session that is closed as far as we
 * know stays unpaid. Otherwise Shopify may not have received our answer to its post yet, and the mutation is repeated for
 * `lostAnswerMs`. After that time the payment keeps its state, and a person must check it.
 */
async function answerToRefusal(
  { shop, sessions, clock, log }: OffsiteStore,
  session: PaymentSession,
  payload: SessionPayload,
): Promise<StoreAnswer> {
  const now = clock.now();
  if (isInState(payload, "Rejected")) return closed("Shopify shows it as rejected");
  if (session.pendingUntil !== null && session.pendingUntil <= now) return closed("it was pending for too long");
  const reason = describeUserErrors(payload.userErrors);
  log.warn("shopify.resolve_refused", { storeId: shop, attempt: session.gid, reason });
  if (await sessions.wasPostedSince(shop, session, now - shopifyLimits.lostAnswerMs)) {
    throw new StoreError("unavailable", "Shopify does not accept the payment yet. It is sent again.");
  }
  throw new StoreError(
    "reconnect",
    "Shopify refuses a payment that was received: check the order in the shop, then retry or refund the payment.",
  );
}
