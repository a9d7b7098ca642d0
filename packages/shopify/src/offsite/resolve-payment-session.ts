import { codeOf, type Receipt, type StoreAnswer, StoreError, type StoreErrorCode } from "@tillkit/core";
import type { GroupClaim } from "@tillkit/core/payment-groups";
import { shopifyLimits } from "../limits.ts";
import { resolvePayment, type SessionPayload } from "../operations/payments-operations.ts";
import type { PaymentSession } from "../records/payment-sessions.ts";
import { describeUserErrors } from "../shopify-api/operation.ts";
import type { OffsiteStore } from "./offsite-store.ts";
import { acknowledgedAnswer, isInState, SESSION_CLOSED, SESSION_UNKNOWN } from "./store-answers.ts";

/**
 * Resolves a payment session for a received payment. All sessions of a checkout form a group, which only one payment may pay: the
 * ledger stores which one before Shopify is called.
 */
export async function resolvePaymentSession(store: OffsiteStore, receipt: Receipt): Promise<StoreAnswer> {
  const { ref, attempt, paymentId, returned } = receipt;
  const session = await store.findSession(ref, attempt);
  if (!session) return SESSION_UNKNOWN;
  if (session.rejectedAt !== null) return SESSION_CLOSED;
  const { claims } = store;
  const claim = await claims.claim(ref, { paymentId, state: "pending" }, returned);
  if (claim.paymentId !== paymentId) return { outcome: "other-payment", paidBy: claim.paymentId };
  // Shopify has confirmed this payment before.
  if (claim.state === "acknowledged") return acknowledgedAnswer("already");
  try {
    return await resolve(store, session, receipt, claim);
  } catch (error) {
    // No request of ours can still resolve the session, so another payment of the group may be tried.
    if (claim.isFirst && CODES_WITHOUT_EFFECT.has(codeOf(error))) await claims.release(ref, claim);
    throw error;
  }
}

/** After an error with one of these codes it is certain that this call changed nothing at Shopify. */
const CODES_WITHOUT_EFFECT: ReadonlySet<string> = new Set<StoreErrorCode>(["unavailable", "reconnect", "owner"]);

async function resolve(
  store: OffsiteStore,
  session: PaymentSession,
  receipt: Receipt,
  claim: GroupClaim,
): Promise<StoreAnswer> {
  const { ref, paymentId } = receipt;
  const payload = await store.graphql.call(store.shop, resolvePayment, { id: session.gid });
  if (isInState(payload, "Resolved")) {
    const nextUrl = await store.saveNextUrl(session.gid, payload);
    await store.claims.claim(ref, { paymentId, state: "acknowledged" });
    // Shopify may give the next URL only once, so a response without it counts as a repetition.
    return acknowledgedAnswer(nextUrl === null ? "already" : "recorded");
  }
  const answer = await answerToRefusal(store, session, payload);
  await store.claims.release(ref, claim);
  return answer;
}

/**
 * When Shopify refuses to resolve a session, it gives the same message for several causes, and no code. A session that is closed
 * as far as we know stays unpaid. Otherwise Shopify may have posted the session to us without receiving our HTTP response, and
 * refuses until it has received one. So the mutation is repeated for `lostAnswerMs` after Shopify's last post. After that time
 * the payment keeps its state, and a person must check it: of the codes of a store's error, only `owner` ends the repetition
 * and alerts the operators.
 */
async function answerToRefusal(
  { shop, sessions, clock, log }: OffsiteStore,
  session: PaymentSession,
  payload: SessionPayload,
): Promise<StoreAnswer> {
  const now = clock.now();
  if (isInState(payload, "Rejected")) return SESSION_CLOSED;
  if (session.pendingUntil !== null && session.pendingUntil <= now) return SESSION_CLOSED;
  const reason = describeUserErrors(payload.userErrors);
  log.warn("shopify.resolve_refused", { storeId: shop, attempt: session.gid, reason });
  if (await sessions.wasPostedSince(shop, session, now - shopifyLimits.lostAnswerMs)) {
    throw new StoreError("unavailable", "Shopify does not accept the payment yet. We try again.");
  }
  throw new StoreError(
    "owner",
    "Shopify refuses a payment that was received: check the order in the shop, then retry or refund the payment.",
  );
}
