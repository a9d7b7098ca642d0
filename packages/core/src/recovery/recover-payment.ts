import { limits, nextCheck } from "../domain/limits.ts";
import { NEW_PAYMENT_DEFAULTS, type Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { checkJob } from "../payments/payment-jobs.ts";
import type { WebhookEndpoint } from "../ports/tenants.ts";
import type { OurMetadata } from "../signing/our-metadata.ts";
import { readReference } from "../signing/reference.ts";
import { readSignedOrder } from "../signing/signed-order.ts";

/** The metadata of a payment that is missing from this ledger, as the service reported it. */
export type LostPayment = OurMetadata & { readonly sessionId: string | undefined };

/**
 * Adds one of our payments to a ledger that lost it, for example after a restore from an old backup. The metadata proves the
 * payment: its reference and the facts of its order carry our signature. The payment becomes `superseded`, so no shopper is sent
 * to its page. The caller confirms it afterwards.
 *
 * @param source the endpoint or credential that reported the payment; payments of another credential or environment are ignored
 * @returns null when the payment is not ours or its metadata is incomplete
 */
export async function recoverPayment(
  engine: Engine,
  lost: LostPayment,
  source: Pick<WebhookEndpoint, "credentialIds" | "environment">,
): Promise<Payment | null> {
  const { sessionId, reference = "", signedOrder = "" } = lost;
  const id = readReference(reference, engine.referenceKeys);
  const facts = id === null ? null : readSignedOrder(signedOrder, id, engine.referenceKeys);
  if (id === null || facts === null || sessionId === undefined) return null;
  if (facts.environment !== source.environment || !source.credentialIds.includes(facts.credentialId)) return null;
  const session = { id: sessionId, url: "", expiresAt: facts.createdAt + limits.sessionLifeMs };
  const now = engine.clock.now();
  const payment: Payment = {
    ...NEW_PAYMENT_DEFAULTS,
    ...facts,
    id,
    orderNumber: facts.ref.orderId,
    request: "",
    reference,
    session,
    state: "superseded",
    nextCheckAt: nextCheck({ createdAt: facts.createdAt, session, checks: 0 }, now),
  };
  const entry = { paymentId: id, at: now, actor: "webhook", kind: "recovered", detail: "" } as const;
  await engine.ledger.commit({ payment: { next: payment, expect: "new" }, jobs: checkJob(payment), timeline: [entry] });
  // Another process may have recovered the payment first. If the session belongs to another payment, the commit fails, and the
  // ledger finds nothing.
  return await engine.ledger.find({ id });
}
