import { CheckoutError } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { formatMoney, type Money, money, sameMoney, toWire } from "../domain/money.ts";
import { amountPaid, amountUnitOf, type Payment } from "../domain/payment.ts";
import { afterFact, type PaymentState } from "../domain/payment-states.ts";
import type { Refund } from "../domain/refund.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { jobOf, reopenJobs } from "../payments/payment-jobs.ts";
import { retryOnConflict } from "../payments/update-payment.ts";
import { findTransaction } from "../sessions/find-transaction.ts";
import { isInDoubt, sendRefund } from "./send-refund.ts";
import { refundableAmount, syncRefunds } from "./sync-refunds.ts";

export type RefundRequest = {
  readonly paymentId: string;
  /**
   * The store's own name of this refund, 1 to 255 characters: the same key again is the same refund, never a second one. Unique
   * among all refunds of the ledger: a store whose own numbers may repeat in another store puts its id in front.
   */
  readonly key: string;
  readonly amount: Money;
  /** `store`: the store asked and records it itself. `policy`: we or the owner decided, and the store is told. */
  readonly origin: "store" | "policy";
  readonly reason?: string;
  /**
   * The refunds of this payment that the store shows, by our keys or the service's ids. One of the same amount that it does not
   * show is the same decision, asked for once more because its answer was lost. Left out where the store cannot tell.
   */
  readonly recordedRefunds?: readonly string[];
  /**
   * The store repeats a request under the key that it had: another key is always another decision, which has its turn after one
   * that is in doubt.
   */
  readonly reusesKeys?: true;
  /** Refused unless the payment stands in one of these when the refund is noted; wherever money is, unless set. */
  readonly allowedStates?: readonly PaymentState[];
  /** Asked right before the refund is committed; false: the reason for it is gone meanwhile. */
  readonly stillApplies?: () => Promise<boolean>;
  /** The person who decided it, for the timeline: a role or a login, never an e-mail. */
  readonly by?: string;
};

/** Money can only go back where it arrived. */
const REFUNDABLE: readonly PaymentState[] = ["recorded", "verified", "review", "duplicate", "refunding"];

/**
 * Gives money back, at most once for each key and never more than was paid (POST /refunds under the key). Never reports a
 * success that it has not seen: the answer's state is `completed`, `pending`, `failed`, or `unknown` when the answer was lost.
 *
 * A refund in doubt blocks every other one of its payment until it was read. A store that lost our answer and asks again
 * with a new key and the same amount gets the refund that was in doubt, not a second one; days later too, when it tells with
 * `recorded` what it knows.
 *
 * @throws CheckoutError `refund_not_possible`, `refund_too_large`, `refund_key_reused`, `amount_invalid`, and, worth
 * another try: `refund_in_doubt`, `service_unavailable`, `ledger_busy`
 */
export async function refundPayment(engine: Engine, request: RefundRequest): Promise<Refund> {
  const busy = "This payment is being changed elsewhere: try again in a moment.";
  return await retryOnConflict(busy, (round) => nextStep(engine, request, round === 0));
}

/** Goes on with a refund that is still in doubt. */
export async function resumeRefund(engine: Engine, paymentId: string, key: string): Promise<Refund | null> {
  const refund = (await engine.ledger.refunds(paymentId)).find((one) => one.key === key);
  return refund && isInDoubt(refund) ? await sendRefund(engine, refund, "again") : (refund ?? null);
}

// Null: the ledger changed, look again.
async function nextStep(engine: Engine, request: RefundRequest, isFirst: boolean): Promise<Refund | null> {
  const payment = await getPayment(engine, request.paymentId);
  const known = await engine.ledger.refunds(payment.id);
  const own = known.find(({ key, otherKeys }) => key === request.key || otherKeys.includes(request.key));
  if (own) return await repeatRefund(engine, own, request);
  const doubtful = known.find(isInDoubt);
  if (doubtful) return await settleDoubtful(engine, doubtful, request);
  const unrecorded = known.find((refund) => isUnrecorded(refund, request) && isSameDecision(refund, request));
  if (unrecorded) return await answerWith(engine, unrecorded, request.key);
  if (isFirst && known.some(({ state }) => state === "pending")) {
    await syncRefunds(engine, payment.id);
    return null;
  }
  return await commitRefund(engine, request, payment, known);
}

async function repeatRefund(engine: Engine, own: Refund, request: RefundRequest): Promise<Refund> {
  if (!sameMoney(own.amount, request.amount)) {
    throw keyReusedError("This refund was asked for before, with another amount");
  }
  return isInDoubt(own) ? await sendRefund(engine, own, "again") : own;
}

async function settleDoubtful(engine: Engine, doubtful: Refund, request: RefundRequest): Promise<Refund | null> {
  const settled = await sendRefund(engine, doubtful, "again");
  if (isInDoubt(settled)) {
    const message = "An earlier refund of this payment is still without an answer: try again in a moment.";
    throw new CheckoutError("refund_in_doubt", message, { retryable: true });
  }
  return isSameDecision(settled, request) ? await answerWith(engine, settled, request.key) : null;
}

// Asked for by the same side, with the same amount, and not failed.
function isSameDecision({ origin, amount, state }: Refund, request: RefundRequest): boolean {
  return !request.reusesKeys && origin === request.origin && sameMoney(amount, request.amount) && state !== "failed";
}

// The key was answered with this refund: asked again, however late, it is this refund. Null: the ledger changed, look again.
async function answerWith(engine: Engine, refund: Refund, key: string): Promise<Refund | null> {
  const payment = await getPayment(engine, refund.paymentId);
  const known = await engine.ledger.refunds(payment.id);
  const stored = known.find((one) => one.key === refund.key);
  if (!stored || stored.state !== refund.state) return null;
  const answered = { ...stored, otherKeys: [...stored.otherKeys, key] };
  const next = { ...payment, version: payment.version + 1 };
  const change = { payment: { next, expect: payment.version }, refunds: [answered], timeline: [] };
  return (await engine.ledger.commit(change)) === "done" ? answered : null;
}

function isUnrecorded({ key, refundId }: Refund, { recordedRefunds }: RefundRequest): boolean {
  return (
    recordedRefunds !== undefined &&
    !recordedRefunds.includes(key) &&
    (refundId === null || !recordedRefunds.includes(refundId))
  );
}

// Commits under the version that was read before everything was compared: whoever asked meanwhile is seen in the next round.
async function commitRefund(
  engine: Engine,
  request: RefundRequest,
  payment: Payment,
  known: readonly Refund[],
): Promise<Refund | null> {
  const amount = assertRefundable(payment, known, request);
  const transactionId = await findTransaction(engine, payment);
  if (transactionId === null) {
    const message = "The service does not show this payment's transaction yet: try again in a moment.";
    throw new CheckoutError("refund_in_doubt", message, { retryable: true });
  }
  if (request.stillApplies && !(await request.stillApplies())) {
    const message = "The order changed while this refund was prepared: it is looked at again.";
    throw new CheckoutError("ledger_busy", message, { retryable: true });
  }
  const at = engine.clock.now();
  const refund = newRefund(payment, transactionId, amount, request, at);
  const full = amount.minor === refundableAmount(payment, known).minor;
  const next = {
    ...payment,
    transactionId,
    state: full ? afterFact(payment.state, "refundAsked") : payment.state,
    version: payment.version + 1,
  };
  const answer = await engine.ledger.commit({
    payment: { next, expect: payment.version },
    refunds: [refund],
    // Goes on with it when this process dies before the answer is recorded.
    jobs: [jobOf(payment, "refund", refund.key, at + limits.confirmAgainMs), ...(full ? reopenJobs(payment, at) : [])],
    timeline: timelineOf(payment, amount, request, at),
  });
  if (answer === "taken") throw keyReusedError("This refund's key belongs to a refund of another payment");
  return answer === "done" ? await sendRefund(engine, refund, "first") : null;
}

function keyReusedError(why: string): CheckoutError {
  return new CheckoutError("refund_key_reused", `${why}: use a new key.`);
}

function timelineOf(
  { id: paymentId }: Payment,
  { minor, currency }: Money,
  request: RefundRequest,
  at: number,
): TimelineEntry[] {
  const who = request.origin === "store" ? "store" : "operator";
  const asked: TimelineEntry = { paymentId, at, actor: who, kind: "refund_asked", detail: `${minor} ${currency}` };
  return request.by === undefined
    ? [asked]
    : [asked, { paymentId, at, actor: who, kind: "refund_decided", detail: request.by }];
}

function assertRefundable(payment: Payment, known: readonly Refund[], request: RefundRequest): Money {
  const { amount, allowedStates = REFUNDABLE } = request;
  const exact = money(amount.minor, amount.currency);
  if (!allowedStates.includes(payment.state) && REFUNDABLE.includes(payment.state)) {
    throw new CheckoutError(
      "refund_not_possible",
      "This payment counts for its order by now: give it back in the shop.",
    );
  }
  if (!REFUNDABLE.includes(payment.state) || exact.currency !== amountPaid(payment).currency) {
    throw new CheckoutError(
      "refund_not_possible",
      "Nothing can be given back: this payment did not arrive in this currency.",
    );
  }
  const left = refundableAmount(payment, known);
  if (exact.minor === 0 || exact.minor > left.minor) {
    throw new CheckoutError("refund_too_large", `At most ${formatMoney(left, "en")} can be given back.`);
  }
  return exact;
}

function newRefund(
  payment: Payment,
  transactionId: string,
  amount: Money,
  wanted: RefundRequest,
  askedAt: number,
): Refund {
  const request = {
    transaction_id: transactionId,
    amount: toWire(amount, amountUnitOf(payment)),
    reason: wanted.reason ?? "requested_by_customer",
    refund_type: amount.minor === amountPaid(payment).minor ? "full" : "partial",
  };
  const { paymentId, key, origin } = wanted;
  return {
    key,
    paymentId,
    origin,
    amount,
    request: JSON.stringify(request),
    transactionId,
    state: "asked",
    refundId: null,
    askedAt,
    readOnlySince: null,
    otherKeys: [],
  };
}
