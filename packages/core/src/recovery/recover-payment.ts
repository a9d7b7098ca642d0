import type { ServiceEvent } from "@tillkit/client/webhooks";
import { codeOf } from "../domain/checkout-error.ts";
import { limits, nextCheck } from "../domain/limits.ts";
import { NEW_PAYMENT_DEFAULTS, type Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { checkJob, jobOf, signalJob } from "../payments/payment-jobs.ts";
import type { WebhookEndpoint } from "../ports/tenants.ts";
import type { OurMetadata } from "../signing/our-metadata.ts";
import { readReference } from "../signing/reference.ts";
import { readSignedOrder } from "../signing/signed-order.ts";

/** The metadata of a payment that is missing from this ledger, as the service reported it. */
export type LostPayment = OurMetadata & { readonly sessionId: string | undefined };

/**
 * Recovers the payment that an event is about. An event of a refund or a dispute may name the transaction alone, and its metadata may
 * lack the session; then the transaction is read.
 *
 * @returns `unread`: the service does not show the transaction yet, and nothing else tells the rest
 * @throws CheckoutError `service_unavailable`
 */
export async function recoverFromEvent(
  engine: Engine,
  lost: LostPayment,
  { transactionId: id, account }: ServiceEvent,
  endpoint: WebhookEndpoint,
): Promise<Payment | "unread" | null> {
  const isWhole = lost.sessionId !== undefined && lost.signedOrder !== undefined;
  if (isWhole || id === undefined) return await recoverPayment(engine, lost, endpoint);
  let isUnread = true;
  for (const credentialId of endpoint.credentialIds) {
    const service = await engine.tenants.service(credentialId);
    const query = { id, account: account ?? null, deadlineMs: limits.serviceCallMs };
    const reading = await service.readTransaction(query);
    if (reading !== null) isUnread = false;
    if (reading?.reference !== lost.reference) continue;
    const sessionId = lost.sessionId ?? reading?.sessionId;
    return await recoverPayment(engine, { ...lost, sessionId, signedOrder: reading?.signedOrder }, endpoint);
  }
  return isUnread ? "unread" : null;
}

/**
 * Adds one of our payments to a ledger that lost it, for example after a restore from an old backup. The metadata proves the
 * payment: its reference and the facts of its order carry our signature. The payment becomes `superseded`, so no shopper is sent
 * to its page. Jobs judge it and read its refunds, so that it is whole again even if this process dies.
 *
 * @param source the endpoint or credential that reported the payment; payments of another credential or environment are ignored
 * @param disputesKnownSince disputes before this time are not known, because they can be read nowhere but in deliveries
 * @returns null when the payment is not ours or its metadata is incomplete
 */
export async function recoverPayment(
  engine: Engine,
  lost: LostPayment,
  source: Pick<WebhookEndpoint, "credentialIds" | "environment">,
  disputesKnownSince = engine.clock.now(),
): Promise<Payment | null> {
  const { sessionId, reference = "", signedOrder = "" } = lost;
  const id = readReference(reference, engine.referenceKeys);
  const facts = id === null ? null : readSignedOrder(signedOrder, id, engine.referenceKeys);
  if (id === null || facts === null || sessionId === undefined) return null;
  if (facts.environment !== source.environment || !source.credentialIds.includes(facts.credentialId)) return null;
  if (!(await hasStore(engine, facts.ref.storeId))) return null;
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
  const entry = { paymentId: id, at: now, actor: "webhook", kind: "recovered", disputesKnownSince } as const;
  const jobs = [...checkJob(payment), signalJob(payment, now), jobOf(payment, { kind: "refund", key: null }, now)];
  await engine.ledger.commit({ payment: { next: payment, expect: "new" }, jobs, timeline: [entry] });
  // Another process may have recovered the payment first. If the session belongs to another payment, the commit fails, and the
  // ledger finds nothing.
  return await engine.ledger.find({ id });
}

// A store that was erased or removed has no orders to write to, and its data must not come back.
async function hasStore(engine: Engine, storeId: string): Promise<boolean> {
  try {
    await engine.store(storeId);
    return true;
  } catch (error) {
    if (codeOf(error) === "store_not_known") return false;
    throw error;
  }
}
