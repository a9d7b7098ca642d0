import { limits, nextCheck } from "../domain/limits.ts";
import { NEW_PAYMENT_DEFAULTS, type Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { checkJob } from "../payments/payment-jobs.ts";
import type { WebhookEndpoint } from "../ports/tenants.ts";
import type { OurMetadata } from "../signing/our-metadata.ts";
import { readReference } from "../signing/reference.ts";
import { readSignedOrder } from "../signing/signed-order.ts";

/** What the service showed of a payment that is not in this ledger. */
export type LostPayment = OurMetadata & { readonly sessionId: string | undefined };

/**
 * Takes a payment of ours back into a ledger that lost it, restored from an old backup: its reference and the facts of its
 * order are signed by us. It comes back as one that a newer payment may replace: nobody is sent to its page any more, and
 * whether it was paid is read from the service, as always. Looking at it is the caller's business.
 *
 * @param within whose word this is: a payment of another credential or environment is not taken back on it
 * @returns null when it is not ours, or says too little
 */
export async function recoverPayment(
  engine: Engine,
  lost: LostPayment,
  within: Pick<WebhookEndpoint, "credentialIds" | "environment">,
): Promise<Payment | null> {
  const { sessionId, reference = "", signedOrder = "" } = lost;
  const id = readReference(reference, engine.referenceKeys);
  const facts = id === null ? null : readSignedOrder(signedOrder, id, engine.referenceKeys);
  if (id === null || facts === null || sessionId === undefined) return null;
  if (facts.environment !== within.environment || !within.credentialIds.includes(facts.credentialId)) return null;
  const session = { id: sessionId, url: "", expiresAt: facts.createdAt + limits.sessionLifeMs };
  const now = engine.clock.now();
  const payment: Payment = {
    ...NEW_PAYMENT_DEFAULTS,
    ...facts,
    id,
    request: "",
    reference,
    session,
    state: "superseded",
    nextCheckAt: nextCheck({ createdAt: facts.createdAt, session, checks: 0 }, now),
  };
  const entry = { paymentId: id, at: now, actor: "webhook", kind: "recovered", detail: "" } as const;
  await engine.ledger.commit({ payment: { next: payment, expect: "new" }, jobs: checkJob(payment), timeline: [entry] });
  // Somebody else may have been faster; a session that another payment has stays that one's.
  return await engine.ledger.find({ id });
}
