import { CheckoutError, changedMeanwhile } from "../domain/checkout-error.ts";
import { type Dispute, type DisputeOutcome, disputeFacts, isOpenDispute } from "../domain/dispute.ts";
import type { Engine } from "../engine.ts";
import { appliesStill } from "../payments/applies-still.ts";
import { jobOf } from "../payments/payment-jobs.ts";
import { updatePayment } from "../payments/stored-payment.ts";
import { afterDisputes } from "./after-disputes.ts";
import { disputeNoteKey } from "./apply-dispute-event.ts";

/**
 * Records what a person read in the service's dashboard about a dispute that ended without an outcome. Until then it counts as lost.
 * An event that names an outcome replaces the decision, and a dispute that is opened again ends it.
 *
 * @param input.by a role or a login, never an e-mail
 * @param input.stillApplies asked right before the commit; false: what the person saw has changed
 * @throws CheckoutError `dispute_not_decidable` (unknown, still open, or its outcome is known), `payment_not_found`; retryable: `ledger_busy`
 */
export async function decideDispute(
  engine: Engine,
  input: {
    readonly paymentId: string;
    readonly disputeId: string;
    readonly outcome: DisputeOutcome;
    readonly by: string;
    readonly stillApplies?: () => Promise<boolean>;
  },
): Promise<void> {
  const { paymentId, disputeId, outcome, by } = input;
  const { status } = await updatePayment(engine, paymentId, async (payment) => {
    const known = (await engine.ledger.disputes(paymentId)).find(({ id }) => id === disputeId);
    if (!known || isOpenDispute(known) || (known.outcome !== null && known.outcome !== outcome)) {
      const message = "This dispute is open, or the service reported its outcome: there is nothing to decide.";
      throw new CheckoutError("dispute_not_decidable", message);
    }
    if (known.outcome === outcome) return null;
    if (!(await appliesStill(engine, input.stillApplies))) throw changedMeanwhile();
    const dispute: Dispute = { ...known, outcome };
    const entry = { paymentId, at: engine.clock.now(), actor: "operator" } as const;
    const { change, jobs } = await afterDisputes(engine, payment, [dispute]);
    const key = disputeNoteKey(dispute, "changed");
    const note = jobOf(payment, { kind: "note", about: "dispute", key }, engine.clock.now());
    return {
      change,
      jobs: [...jobs, note],
      disputes: [dispute],
      timeline: [
        { ...entry, kind: "dispute_decided", ...disputeFacts(dispute) },
        { ...entry, kind: "refund_decided", by },
      ],
    };
  });
  if (status !== "conflict" && status !== "taken") return;
  throw changedMeanwhile();
}
