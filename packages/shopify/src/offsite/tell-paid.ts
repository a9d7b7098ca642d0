import { codeOf, type Receipt, type StoreAnswer, StoreError, type StoreErrorCode } from "@tillkit/core";
import { firstError } from "../graphql/operation.ts";
import { resolvePayment, type SessionPayload } from "../graphql/payments-operations.ts";
import { shopifyLimits } from "../limits.ts";
import { acknowledged, gone, isState, type OffsiteShop, otherPayment, tooLate } from "./offsite-shop.ts";
import type { PaymentSession } from "./payment-sessions.ts";

/** Resolves the payment session, for one payment of its group only: which one is written down before Shopify is told. */
export async function tellPaid(offsite: OffsiteShop, receipt: Receipt): Promise<StoreAnswer> {
  const { ref, attempt, paymentId } = receipt;
  const session = await offsite.findSession(ref, attempt);
  if (!session) return gone(attempt);
  if (session.rejectedAt !== null) return tooLate("we have rejected it");
  const { claims } = offsite;
  const claim = await claims.claim(ref, { paymentId, state: "telling" });
  if (claim.paymentId !== paymentId) return otherPayment(claim.paymentId);
  if (claim.state === "told") return acknowledged("already", session.nextUrl);
  try {
    return await resolve(offsite, session, receipt);
  } catch (error) {
    // Certainly not resolved, and no earlier try may still land: another payment of the group must not be in its way.
    if (claim.isFirst && NOTHING_HAPPENED.has(codeOf(error))) await claims.release(ref, paymentId);
    throw error;
  }
}

const NOTHING_HAPPENED: ReadonlySet<string> = new Set<StoreErrorCode>(["unavailable", "reconnect"]);

async function resolve(offsite: OffsiteShop, session: PaymentSession, receipt: Receipt): Promise<StoreAnswer> {
  const { ref, attempt, paymentId } = receipt;
  const payload = await offsite.graphql.call(offsite.shop, resolvePayment, { id: attempt });
  if (isState(payload, "Resolved")) {
    const nextUrl = await offsite.keepNextUrl(attempt, payload);
    await offsite.claims.claim(ref, { paymentId, state: "told" });
    return acknowledged(nextUrl === null ? "already" : "recorded", nextUrl ?? session.nextUrl);
  }
  const answer = whyRefused(offsite, session, payload);
  await offsite.claims.release(ref, paymentId);
  return answer;
}

/**
 * A refusal without a code has one message and several causes. Only a payment session that is over, as far as we know, is
 * given up; otherwise Shopify may not have our answer to its post yet, and has to be told again. Later than that nobody can
 * tell: the money stays noted as paid, and a person looks.
 */
function whyRefused({ shop, clock, log }: OffsiteShop, session: PaymentSession, payload: SessionPayload): StoreAnswer {
  const now = clock.now();
  if (isState(payload, "Rejected")) return tooLate("Shopify shows it as rejected");
  if (session.pendingUntil !== null && session.pendingUntil <= now) return tooLate("it was pending for too long");
  const reason = firstError(payload.userErrors);
  log.warn("shopify.resolve_refused", { storeId: shop, attempt: session.gid, reason });
  if (now < session.postedAt + shopifyLimits.answerMayBeLostMs) {
    throw new StoreError("unavailable", "Shopify does not take the payment yet: it is told again.");
  }
  const message =
    "Shopify keeps refusing a payment that is paid: look at the order in the shop, then replay or refund it.";
  throw new StoreError("reconnect", message);
}
