import { nextCheck } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import { readReference } from "../domain/reference.ts";
import { readSignedOrder } from "../domain/signed-order.ts";
import type { WebhookEndpoint } from "../ports/tenants.ts";
import type { Engine } from "./engine.ts";
import { checkJob } from "./open-session.ts";

/** What the service showed of a payment that is not in this ledger. */
export type LostPayment = {
  readonly sessionId: string | undefined;
  readonly reference: string | undefined;
  readonly signedOrder: string | undefined;
};

/**
 * Takes a payment of ours back into a ledger that lost it, restored from an old backup: its reference and the facts of its
 * order are signed by us. It comes back as one that a newer payment may replace: nobody is sent to its page any more, and
 * whether it was paid is read from the service, as always. Looking at it is the caller's business.
 *
 * @param within whose word this is: a payment of another credential or environment is not taken back on it
 * @returns null when it is not ours, or says too little
 */
export async function adoptPayment(
  engine: Engine,
  lost: LostPayment,
  within: Pick<WebhookEndpoint, "credentialIds" | "environment">,
): Promise<Payment | null> {
  const { sessionId, reference = "", signedOrder = "" } = lost;
  const id = readReference(reference, engine.referenceKeys);
  const facts = id === null ? null : readSignedOrder(signedOrder, id, engine.referenceKeys);
  if (id === null || facts === null || sessionId === undefined) return null;
  if (facts.environment !== within.environment || !within.credentialIds.includes(facts.credentialId)) return null;
  const session = { id: sessionId, url: "", expiresAt: facts.createdAt + SESSION_LIFE_MS };
  const now = engine.clock.now();
  const payment: Payment = {
    ...facts,
    id,
    request: "",
    reference,
    session,
    transactionId: null,
    state: "superseded",
    version: 1,
    checks: 0,
    nextCheckAt: nextCheck({ createdAt: facts.createdAt, session, checks: 0 }, now),
    storeWriteAt: null,
    storeTries: 0,
    storeRetryAt: null,
    continueUrl: null,
    finding: null,
    waiver: null,
  };
  const line = { paymentId: id, at: now, who: "webhook", what: "adopted", detail: "" } as const;
  await engine.ledger.commit({ payment: { next: payment, expect: "new" }, jobs: checkJob(payment), story: [line] });
  // Somebody else may have been faster; a session that another payment has stays that one's.
  return await engine.ledger.find({ id });
}

/** When nobody knows how long the session lives: the service's default. Milliseconds. */
const SESSION_LIFE_MS = 60 * 60_000;
