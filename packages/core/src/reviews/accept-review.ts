import { confirmPayment } from "../confirm/confirm-payment.ts";
import type { ConfirmResult } from "../confirm/confirm-result.ts";
import { CheckoutError } from "../domain/checkout-error.ts";
import { type Finding, type FindingCode, findingKey } from "../domain/finding.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import { hasNoResult } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { appliesStill } from "../payments/applies-still.ts";
import { confirmJob } from "../payments/payment-jobs.ts";
import { getPayment } from "../payments/stored-payment.ts";

/** `by` names the person in the timeline: a role or a login, never an e-mail. */
export type ReviewDecision = {
  readonly paymentId: string;
  readonly by: string;
  /** Called right before the decision is committed. false: what the person saw has changed. */
  readonly stillApplies?: () => Promise<boolean>;
};

/** `findingKey`: of the difference that the person saw. `decision` names the decision, so that a repeat of it is recognized. */
export type Acceptance = ReviewDecision & { readonly findingKey: string; readonly decision?: string };

/** Only differences of the amount or the order can be accepted. A difference of session, reference or account cannot. */
const ACCEPTABLE: readonly FindingCode[] = ["amount_differs", "total_changed", "paid_outside"];

export function isAcceptable(finding: Finding | null): finding is Finding {
  return finding !== null && ACCEPTABLE.includes(finding.code);
}

/**
 * Records the merchant's acceptance of the difference that the person saw, and of no other difference. The payment is then confirmed as
 * usual and is written to the store only if the judge decides "paid".
 *
 * @throws CheckoutError `review_not_acceptable`, `payment_not_found`; retryable: `ledger_busy`, also when the difference is another
 * one than the person saw; `refund_in_doubt` while a
 * refund has no result; `service_unavailable`
 */
export async function acceptReview(engine: Engine, acceptance: Acceptance): Promise<ConfirmResult> {
  const { paymentId, by, stillApplies, decision } = acceptance;
  // Everything is checked after this read and committed under its version, so a change in between is noticed.
  const payment = await getPayment(engine, paymentId);
  const { finding } = payment;
  if (payment.state === "review" && finding && findingKey(finding) !== acceptance.findingKey) throw changedError();
  if (payment.state !== "review" || !isAcceptable(finding)) {
    throw notAcceptableError("Only a payment under review whose amount or total differs can be accepted");
  }
  // A payment holds one waiver. A second waiver would overwrite the first, and the first finding would return.
  if (payment.waiver && payment.waiver.finding.code !== finding.code) {
    throw notAcceptableError("The amount and the order's total both differ, and only one of them can be accepted");
  }
  if (!(await appliesStill(engine, stillApplies))) throw changedError();
  const refunds = await engine.ledger.refunds(paymentId);
  if (refunds.some(hasNoResult)) {
    const message = "A refund of this payment has no result yet: wait for it, then decide.";
    throw new CheckoutError("refund_in_doubt", message, { retryable: true });
  }
  const at = engine.clock.now();
  const next: Payment = {
    ...payment,
    waiver: { finding, by, at, ...(decision === undefined ? {} : { decision }) },
    state: afterFact(payment.state, "accepted"),
    finding: null,
    version: payment.version + 1,
  };
  const answer = await engine.ledger.commit({
    payment: { next, expect: payment.version },
    jobs: [confirmJob(payment, at + limits.reconfirmAfterMs)],
    timeline: [{ paymentId, at, actor: "operator", kind: "accepted", by }],
  });
  if (answer === "taken") throw notAcceptableError("Another payment counts for this order now");
  if (answer !== "done") throw changedError();
  return await confirmPayment(engine, paymentId, { actor: "operator" });
}

function changedError(): CheckoutError {
  const message = "This payment, or another payment of its order, changed in the meantime: reload it, then decide.";
  return new CheckoutError("ledger_busy", message, { retryable: true });
}

function notAcceptableError(reason: string): CheckoutError {
  return new CheckoutError("review_not_acceptable", `${reason}: refund the payment, or correct the order.`);
}
