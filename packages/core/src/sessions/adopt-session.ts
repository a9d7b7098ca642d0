import { limits, nextCheck } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { checkJob, jobOf, signalJob } from "../payments/payment-jobs.ts";
import { updatePayment } from "../payments/stored-payment.ts";
import { withoutCustomer } from "./session-request.ts";

/**
 * Gives a payment the session that a signed event or a transaction with our reference names. The ledger was restored to between the commit
 * of the intent and that of its session, so it knows neither the session nor its page. Jobs judge the payment and read its refunds.
 *
 * @returns the current payment: without a session where the ledger has this session at another payment
 */
export async function adoptSession(
  engine: Engine,
  payment: Payment,
  sessionId: string,
  actor: TimelineEntry["actor"],
): Promise<Payment> {
  const { payment: adopted } = await updatePayment(engine, payment.id, (current) => {
    if (current.session !== null) return null;
    const session = { id: sessionId, url: "", expiresAt: current.createdAt + limits.sessionLifeMs };
    const now = engine.clock.now();
    // No shopper is sent to a page whose address is not known.
    const state = afterFact(afterFact(current.state, "opened"), "replaced");
    const nextCheckAt = nextCheck({ ...current, session }, now);
    const next = { ...current, session, state, nextCheckAt };
    return {
      change: { session, state, nextCheckAt, request: withoutCustomer(current.request) },
      jobs: [...checkJob(next), signalJob(next, now), jobOf(next, { kind: "refund", key: null }, now)],
      timeline: [{ paymentId: current.id, at: now, actor, kind: "opened" }],
    };
  });
  return adopted;
}
