import { CheckoutError } from "../domain/checkout-error.ts";
import type { Finding, FindingCode } from "../domain/finding.ts";
import { limits } from "../domain/limits.ts";
import { paidMoney } from "../domain/paid-money.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import type { Refund } from "../domain/refund.ts";
import { confirmPayment } from "./confirm-payment.ts";
import type { Confirmed } from "./confirmed.ts";
import type { Engine } from "./engine.ts";
import { confirmJob } from "./follow-up.ts";
import { sumOf } from "./learn-refunds.ts";
import { refundPayment } from "./refund-payment.ts";
import { mustFind } from "./store-calls.ts";

/** `by` names the person in the story: a role or a login, never an e-mail. */
export type ReviewDecision = { readonly paymentId: string; readonly by: string };

/** Only how much was paid for what can be accepted; whose payment it is, and where, cannot. */
const ACCEPTABLE: readonly FindingCode[] = ["amount_differs", "total_changed"];

export function isAcceptable(finding: Finding | null): finding is Finding {
  return finding !== null && ACCEPTABLE.includes(finding.code);
}

/**
 * The owner accepts a difference: exactly the one that was found, which the story keeps. Everything else is judged as
 * always, and the store is told only when the judge says paid.
 *
 * @throws CheckoutError `review_not_acceptable`, `payment_not_found`, and, worth another try: `ledger_busy`, `service_unavailable`
 */
export async function acceptReview(engine: Engine, { paymentId, by }: ReviewDecision): Promise<Confirmed> {
  const payment = await mustFind(engine, paymentId);
  const { finding } = payment;
  if (payment.state !== "review" || !isAcceptable(finding)) {
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

/**
 * The owner gives back what arrived for a payment under review or a duplicate: all of it that is still here. Asked twice, it
 * happens once; asked again after it failed, it is tried anew.
 *
 * @throws CheckoutError as refundPayment does
 */
export async function refundReview(engine: Engine, { paymentId }: ReviewDecision): Promise<Refund> {
  return await giveAllBack(engine, await mustFind(engine, paymentId), "review");
}

/** `why` names the key: each failure makes room for one new try, and every other click repeats the last. */
export async function giveAllBack(engine: Engine, payment: Payment, why: "review" | "rule"): Promise<Refund> {
  const name = `${why}:${payment.id}`;
  const known = await engine.ledger.refunds(payment.id);
  const failed = known.filter(({ key, state }) => key.startsWith(name) && state === "failed").length;
  const key = failed === 0 ? name : `${name}:${failed + 1}`;
  const own = known.find((refund) => refund.key === key);
  const others = known.filter((refund) => refund.key !== key);
  const left = paidMoney(payment).minor - sumOf(others, ["completed", "pending"]);
  const amount = own?.amount ?? { minor: left, currency: payment.owed.currency };
  return await refundPayment(engine, { paymentId: payment.id, key, amount, origin: "policy" });
}
