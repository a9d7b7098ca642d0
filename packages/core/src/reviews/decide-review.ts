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

/** `by` names the person in the story: a role or a login, never an e-mail. */
export type ReviewDecision = { readonly paymentId: string; readonly by: string };

/** Only how much was paid for what can be accepted; whose payment it is, and where, cannot. */
const ACCEPTABLE: readonly FindingCode[] = ["amount_differs", "total_changed", "paid_outside"];

export function isAcceptable(finding: Finding | null): finding is Finding {
  return finding !== null && ACCEPTABLE.includes(finding.code);
}

/**
 * The owner accepts a difference: exactly the one that was found, which the story keeps. Everything else is judged as
 * always, and the store is told only when the judge says paid.
 *
 * @throws CheckoutError `review_not_acceptable`, `payment_not_found`, and, worth another try: `ledger_busy`, `service_unavailable`
 */
export async function acceptReview(engine: Engine, { paymentId, by }: ReviewDecision): Promise<ConfirmResult> {
  const payment = await getPayment(engine, paymentId);
  const { finding } = payment;
  if (payment.state !== "review" || !isAcceptable(finding)) {
    throw notAcceptable("Only a payment under review whose amount or total differs can be accepted");
  }
  // One waiver is one difference: the second would take the place of the first, which would be found again.
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
    jobs: [confirmJob(payment, at + limits.confirmAgainMs)],
    timeline: [{ paymentId, at, actor: "operator", kind: "accepted", detail: by }],
  });
  if (answer === "taken") throw notAcceptable("Another payment counts for this order by now");
  if (answer !== "done") {
    const message = "This payment, or another one of its order, changed meanwhile: look again, then decide.";
    throw new CheckoutError("ledger_busy", message, { retryable: true });
  }
  return await confirmPayment(engine, paymentId, { actor: "operator" });
}

function notAcceptable(why: string): CheckoutError {
  return new CheckoutError("review_not_acceptable", `${why}: refund it, or mend the order.`);
}

/**
 * The owner gives back what arrived for a payment under review or a duplicate: all of it that is still here. Asked twice, it
 * happens once; asked again after it failed, it is tried anew.
 *
 * @throws CheckoutError as refundPayment does
 */
export async function refundReview(engine: Engine, { paymentId, by }: ReviewDecision): Promise<Refund> {
  return await refundRemaining(engine, await getPayment(engine, paymentId), { kind: "review", by });
}

/** A payment that became good while the owner looked at it is not given back. */
const CANNOT_COUNT: readonly PaymentState[] = ["review", "duplicate", "refunding"];

/** A person decided it, or the rule that the merchant set up. */
type RefundReason =
  | { readonly kind: "review"; readonly by: string }
  | { readonly kind: "rule"; readonly stillApplies: () => Promise<boolean> };

/** `why` names the key: each failure makes room for one new try, and every other click repeats the last. */
export async function refundRemaining(engine: Engine, payment: Payment, why: RefundReason): Promise<Refund> {
  const name = `${why.kind}:${payment.id}`;
  const known = await engine.ledger.refunds(payment.id);
  const failed = known.filter(({ key, state }) => key.startsWith(name) && state === "failed").length;
  const key = failed === 0 ? name : `${name}:${failed + 1}`;
  const own = known.find((refund) => refund.key === key);
  const others = known.filter((refund) => refund.key !== key);
  const amount = own?.amount ?? refundableAmount(payment, others);
  const request = { paymentId: payment.id, key, amount, origin: "policy", allowedStates: CANNOT_COUNT } as const;
  return await refundPayment(
    engine,
    why.kind === "review" ? { ...request, by: why.by } : { ...request, stillApplies: why.stillApplies },
  );
}
