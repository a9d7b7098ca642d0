import { CheckoutError } from "../domain/checkout-error.ts";
import type { FindingCode } from "../domain/finding.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import type { Refund } from "../domain/refund.ts";
import { confirmPayment } from "./confirm-payment.ts";
import type { Confirmed } from "./confirmed.ts";
import type { Engine } from "./engine.ts";
import { confirmJob } from "./follow-up.ts";
import { refundPayment } from "./refund-payment.ts";
import { mustFind } from "./store-calls.ts";

/** `by` names the person in the story: a role or a login, never an e-mail. */
export type ReviewDecision = { readonly paymentId: string; readonly by: string };

/** Only how much was paid for what can be accepted; whose payment it is, and where, cannot. */
const ACCEPTABLE: readonly FindingCode[] = ["amount_differs", "total_changed"];

/**
 * The owner accepts a difference: exactly the one that was found, which the story keeps. Everything else is judged as
 * always, and the store is told only when the judge says paid.
 *
 * @throws CheckoutError `review_not_acceptable`, `payment_not_found`, and, worth another try: `ledger_busy`, `service_unavailable`
 */
export async function acceptReview(engine: Engine, { paymentId, by }: ReviewDecision): Promise<Confirmed> {
  const payment = await mustFind(engine, paymentId);
  const { finding } = payment;
  if (payment.state !== "review" || finding === null || !ACCEPTABLE.includes(finding.code)) {
    const message =
      "Only a payment under review whose amount or total differs can be accepted: refund it, or mend the order.";
    throw new CheckoutError("review_not_acceptable", message);
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
    story: [{ paymentId, at, who: "operator", what: "accepted", detail: by }],
  });
  if (answer !== "done") {
    const message = "This payment, or another one of its order, changed meanwhile: look again, then decide.";
    throw new CheckoutError("ledger_busy", message, { retryable: true });
  }
  return await confirmPayment(engine, paymentId, { who: "operator" });
}

/** The owner gives back what arrived for a payment under review or a duplicate; asked twice, it happens once. */
export async function refundReview(engine: Engine, { paymentId }: ReviewDecision): Promise<Refund> {
  const { owed } = await mustFind(engine, paymentId);
  return await refundPayment(engine, { paymentId, key: `review:${paymentId}`, amount: owed, origin: "policy" });
}
