import { confirmPayment } from "../confirm/confirm-payment.ts";
import type { ConfirmResult } from "../confirm/confirm-result.ts";
import { CheckoutError } from "../domain/checkout-error.ts";
import type { Finding, FindingCode } from "../domain/finding.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact, type PaymentState } from "../domain/payment-states.ts";
import type { Refund } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { confirmJob } from "../payments/payment-jobs.ts";
import { refundPayment } from "../refunds/refund-payment.ts";
import { refundableAmount } from "../refunds/sync-refunds.ts";

/** `by` names the person in the timeline: a role or a login, never an e-mail. */
export type ReviewDecision = { readonly paymentId: string; readonly by: string };

/** Only differences of the amount or the order can be accepted. A difference of session, reference or account cannot. */
const ACCEPTABLE: readonly FindingCode[] = ["amount_differs", "total_changed", "paid_outside"];

export function isAcceptable(finding: Finding | null): finding is Finding {
  return finding !== null && ACCEPTABLE.includes(finding.code);
}

/**
 * Records the merchant's acceptance of the difference that was found, and of no other one. The payment is then confirmed as usual
 * and is written to the store only if the judge decides "paid".
 *
 * @throws CheckoutError `review_not_acceptable`, `payment_not_found`; retryable: `ledger_busy`, `service_unavailable`
 */
export async function acceptReview(engine: Engine, { paymentId, by }: ReviewDecision): Promise<ConfirmResult> {
  const payment = await getPayment(engine, paymentId);
  const { finding } = payment;
  if (payment.state !== "review" || !isAcceptable(finding)) {
    throw notAcceptable("Only a payment under review whose amount or total differs can be accepted");
  }
  // A payment holds one waiver. A second waiver would overwrite the first, and the first finding would return.
  if (payment.waiver && payment.waiver.finding.code !== finding.code) {
    throw notAcceptable("The amount and the order's total both differ, and only one of them can be accepted");
  }
  const at = engine.clock.now();
  const next: Payment = {
    ...payment,
    waiver: { finding, by, at },
    state: afterFact(payment.state, "accepted"),
    finding: null,
    version: payment.version + 1,
  };
  const answer = await engine.ledger.commit({
    payment: { next, expect: payment.version },
    jobs: [confirmJob(payment, at + limits.reconfirmAfterMs)],
    timeline: [{ paymentId, at, actor: "operator", kind: "accepted", detail: by }],
  });
  if (answer === "taken") throw notAcceptable("Another payment counts for this order now");
  if (answer !== "done") {
    const message = "This payment, or another payment of its order, changed in the meantime: reload it, then decide.";
    throw new CheckoutError("ledger_busy", message, { retryable: true });
  }
  return await confirmPayment(engine, paymentId, { actor: "operator" });
}

function notAcceptable(reason: string): CheckoutError {
  return new CheckoutError("review_not_acceptable", `${reason}: refund the payment, or correct the order.`);
}

/**
 * Refunds the remaining amount of a payment under review or of a duplicate. Repeated calls make one refund; a call after a failed
 * refund makes a new one.
 *
 * @throws CheckoutError as refundPayment does
 */
export async function refundReview(engine: Engine, { paymentId, by }: ReviewDecision): Promise<Refund> {
  return await refundRemaining(engine, await getPayment(engine, paymentId), { kind: "review", by });
}

/** A payment that became paid while the merchant reviewed it is not refunded. */
const CANNOT_COUNT: readonly PaymentState[] = ["review", "duplicate", "refunding"];

/** `review`: a person decided. `rule`: the merchant configured an automatic refund. */
type RefundReason =
  | { readonly kind: "review"; readonly by: string }
  | { readonly kind: "rule"; readonly stillApplies: () => Promise<boolean> };

/** The key contains the number of failed refunds, so a call after a failure makes a new refund and any other repeats the last. */
export async function refundRemaining(engine: Engine, payment: Payment, reason: RefundReason): Promise<Refund> {
  const name = `${reason.kind}:${payment.id}`;
  const known = await engine.ledger.refunds(payment.id);
  const failed = known.filter(({ key, state }) => key.startsWith(name) && state === "failed").length;
  const key = failed === 0 ? name : `${name}:${failed + 1}`;
  const existing = known.find((refund) => refund.key === key);
  const others = known.filter((refund) => refund.key !== key);
  const amount = existing?.amount ?? refundableAmount(payment, others);
  const request = { paymentId: payment.id, key, amount, origin: "policy", allowedStates: CANNOT_COUNT } as const;
  return await refundPayment(
    engine,
    reason.kind === "review" ? { ...request, by: reason.by } : { ...request, stillApplies: reason.stillApplies },
  );
}
