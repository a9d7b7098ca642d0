import type { Dispute } from "../domain/dispute.ts";
import type { NewJob } from "../domain/job.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { Engine } from "../engine.ts";
import { gatherMovements, lostToDisputeAfter } from "../payments/gather-movements.ts";
import { signalJob } from "../payments/payment-jobs.ts";

/** The states in which a lost or won dispute changes whether the payment may pay its order. */
const JUDGED_AGAIN: ReadonlySet<PaymentState> = new Set(["verified", "review"]);

/** What follows for a payment when these disputes of it changed. */
export async function afterDisputes(
  engine: Engine,
  payment: Payment,
  changed: readonly Dispute[],
): Promise<{ readonly change: Partial<Payment>; readonly jobs: readonly NewJob[] }> {
  const movements = await gatherMovements(engine.ledger, payment.id);
  const others = movements.disputes.filter(({ id }) => !changed.some((dispute) => dispute.id === id));
  const lostToDispute = await lostToDisputeAfter(engine, payment, { ...movements, disputes: [...others, ...changed] });
  const isJudged = JUDGED_AGAIN.has(payment.state);
  return { change: { lostToDispute }, jobs: isJudged ? [signalJob(payment, engine.clock.now())] : [] };
}
