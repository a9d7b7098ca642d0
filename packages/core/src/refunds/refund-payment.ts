import { CheckoutError, codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { type AmountUnit, formatMoney, fromWire, type Money, money, sameMoney, toWire } from "../domain/money.ts";
import { amountPaid, amountUnitOf, type Payment } from "../domain/payment.ts";
import { afterFact, type PaymentState } from "../domain/payment-states.ts";
import type { Refund } from "../domain/refund.ts";
import { amountDetail, type TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { jobOf, reopenJobs } from "../payments/payment-jobs.ts";
import { retryOnConflict } from "../payments/update-payment.ts";
import { findTransaction, type PayingTransaction } from "../sessions/find-transaction.ts";
import { isInDoubt, sendRefund } from "./send-refund.ts";
import { refundableAmount, syncRefundsOf } from "./sync-refunds.ts";

export type RefundRequest = {
  readonly paymentId: string;
  /**
   * The store's id of this refund, 1 to 255 characters. A repeated key is the same refund and never a second refund. Keys are unique
   * among all refunds of the ledger: a store whose numbers may repeat in another store adds its store id as a prefix.
   */
  readonly key: string;
  readonly amount: Money;
  /** `store`: the store requested the refund and records it itself. `tillkit`: the merchant or a rule decided; we write it to the store. */
  readonly origin: "store" | "tillkit";
  readonly reason?: string;
  /**
   * The refunds of this payment that the store shows, by our keys or the service's ids. A refund of the same amount that the store
   * does not show is the same decision: the store lost our response and requests it again. Absent where the store cannot list them.
   */
  readonly recordedRefunds?: readonly string[];
  /**
   * The store repeats a request under the same key, so a different key is always a different decision. The refund is sent after any
   * refund in doubt is settled.
   */
  readonly reusesKeys?: true;
  /** The refund is rejected unless the payment is in one of these states when it is committed. Default: every refundable state. */
  readonly allowedStates?: readonly PaymentState[];
  /** Called right before the refund is committed. false: the reason for the refund no longer exists. */
  readonly stillApplies?: () => Promise<boolean>;
  /** The person who decided the refund, for the timeline: a role or a login, never an e-mail. */
  readonly by?: string;
};

/** The states of a payment whose money has arrived and is possibly not refunded completely. */
const REFUNDABLE: readonly PaymentState[] = ["recorded", "verified", "review", "duplicate", "refunding"];

/**
 * Refunds a payment at most once for each key and never more than was paid (POST /refunds under the key). The state of the result
 * is what the service reported: `completed`, `pending` or `failed`; it is `unknown` when the response was lost.
 *
 * The payment's refunds are read right before a new refund is committed, so a refund of the service's dashboard whose event never
 * arrived is counted. While that list cannot be read, the service itself refuses more than was paid.
 *
 * A refund in doubt blocks every other refund of its payment until it is settled. If a store lost our response and requests the
 * same amount under a new key, it gets the refund that was in doubt and not a second refund. With `recordedRefunds` this also holds
 * days later.
 *
 * @throws CheckoutError `refund_not_possible`, `refund_too_large`, `refund_key_reused`, `amount_invalid`; retryable:
 * `refund_in_doubt`, `service_unavailable`, `ledger_busy`
 */
export async function refundPayment(engine: Engine, request: RefundRequest): Promise<Refund> {
  const busyMessage = "Other processes are changing this payment: try again in a moment.";
  const read: ReadBefore = { transaction: null };
  return await retryOnConflict(busyMessage, () => nextStep(engine, request, read));
}

/** Sends or reads a refund in doubt again. Null: the refund does not exist. */
export async function resumeRefund(engine: Engine, paymentId: string, key: string): Promise<Refund | null> {
  const refund = (await engine.ledger.refunds(paymentId)).find((known) => known.key === key);
  return refund && isInDoubt(refund) ? await sendRefund(engine, refund, "again") : (refund ?? null);
}

/** What this call has read of the service; null while it has read nothing. */
type ReadBefore = { transaction: PayingTransaction | null };

// Null: the ledger changed, so the step starts over.
async function nextStep(engine: Engine, request: RefundRequest, read: ReadBefore): Promise<Refund | null> {
  const payment = await getPayment(engine, request.paymentId);
  const known = await engine.ledger.refunds(payment.id);
  const unit = amountUnitOf(payment);
  const existing = known.find(({ key, otherKeys }) => key === request.key || otherKeys.includes(request.key));
  if (existing) return await repeatRefund(engine, existing, request, unit);
  const doubtful = known.find(isInDoubt);
  if (doubtful) return await settleDoubtful(engine, doubtful, request, unit);
  const unrecorded = known.find((refund) => isUnrecorded(refund, request) && isSameDecision(refund, request, unit));
  if (unrecorded) return await answerUnderKey(engine, unrecorded, request.key);
  assertState(payment, request);
  if (read.transaction !== null) return await commitRefund(engine, request, { payment, known, ...read.transaction });
  read.transaction = await readService(engine, payment);
  return null;
}

// Reads the transaction and its refunds.
async function readService(engine: Engine, payment: Payment): Promise<PayingTransaction> {
  const transaction = await findTransaction(engine, payment);
  if (transaction === null) {
    const message = "The service does not show this payment's transaction yet: try again in a moment.";
    throw new CheckoutError("refund_in_doubt", message, { retryable: true });
  }
  // A service that is unavailable would only make the caller wait once more.
  if (transaction.isAssumed) return transaction;
  await syncRefundsOf(engine, payment, transaction).catch((error: unknown) => {
    if (codeOf(error) !== "service_unavailable") throw error;
    engine.log.warn("refund.sync_failed", { paymentId: payment.id, code: codeOf(error) });
  });
  return transaction;
}

async function repeatRefund(
  engine: Engine,
  existing: Refund,
  request: RefundRequest,
  unit: AmountUnit,
): Promise<Refund> {
  if (!wasRequested(existing, request.amount, unit)) {
    throw keyReusedError("This refund was requested before with another amount");
  }
  return isInDoubt(existing) ? await sendRefund(engine, existing, "again") : existing;
}

// The service may have refunded another amount than was requested. Then the body still holds the requested amount.
function wasRequested({ amount: made, request }: Refund, amount: Money, unit: AmountUnit): boolean {
  const { amount: wireAmount = 0 } = request === "" ? {} : (JSON.parse(request) as { readonly amount?: number });
  const requested = fromWire(wireAmount, made.currency, unit) ?? made;
  return sameMoney(made, amount) || sameMoney(requested, amount);
}

async function settleDoubtful(
  engine: Engine,
  doubtful: Refund,
  request: RefundRequest,
  unit: AmountUnit,
): Promise<Refund | null> {
  const settled = await sendRefund(engine, doubtful, "again");
  if (isInDoubt(settled)) {
    const message = "An earlier refund of this payment has no result yet: try again in a moment.";
    throw new CheckoutError("refund_in_doubt", message, { retryable: true });
  }
  return isSameDecision(settled, request, unit) ? await answerUnderKey(engine, settled, request.key) : null;
}

// Whether a request under a new key asks for this refund again: the same origin, the same amount, and the refund has not failed.
function isSameDecision(refund: Refund, { reusesKeys, origin, amount }: RefundRequest, unit: AmountUnit): boolean {
  return !reusesKeys && refund.origin === origin && wasRequested(refund, amount, unit) && refund.state !== "failed";
}

// Answers a request under `key` with this refund. The key is stored with the refund, so a later request under the key gets the
// same refund. Null: the ledger changed, so the step starts over.
async function answerUnderKey(engine: Engine, refund: Refund, key: string): Promise<Refund | null> {
  const payment = await getPayment(engine, refund.paymentId);
  const known = await engine.ledger.refunds(payment.id);
  const stored = known.find(({ key: storedKey }) => storedKey === refund.key);
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

type KnownBefore = { readonly payment: Payment; readonly known: readonly Refund[] } & PayingTransaction;

// Commits under the version that was read before the comparisons, so a refund that was committed since is seen in the next round.
async function commitRefund(
  engine: Engine,
  request: RefundRequest,
  { payment, known, id: transactionId }: KnownBefore,
): Promise<Refund | null> {
  const amount = assertAmount(payment, known, request);
  if (request.stillApplies && !(await request.stillApplies())) {
    const message = "The order changed while this refund was prepared: the decision is checked again.";
    throw new CheckoutError("ledger_busy", message, { retryable: true });
  }
  const at = engine.clock.now();
  const refund = newRefund(payment, transactionId, amount, request, at);
  const isFull = amount.minor === refundableAmount(payment, known).minor;
  const next = {
    ...payment,
    transactionId,
    state: isFull ? afterFact(payment.state, "refundRequested") : payment.state,
    version: payment.version + 1,
  };
  const answer = await engine.ledger.commit({
    payment: { next, expect: payment.version },
    refunds: [refund],
    // The job continues the refund if this process dies before the response is recorded.
    jobs: [
      jobOf(payment, "refund", refund.key, at + limits.reconfirmAfterMs),
      ...(isFull ? reopenJobs(payment, at) : []),
    ],
    timeline: timelineOf(payment, amount, request, at),
  });
  if (answer === "taken") throw keyReusedError("This refund's key belongs to a refund of another payment");
  return answer === "done" ? await sendRefund(engine, refund, "first") : null;
}

function keyReusedError(reason: string): CheckoutError {
  return new CheckoutError("refund_key_reused", `${reason}: use a new key.`);
}

function timelineOf(
  { id: paymentId }: Payment,
  amount: Money,
  { origin, by }: RefundRequest,
  at: number,
): TimelineEntry[] {
  const actor = origin === "store" ? "store" : "operator";
  const requested: TimelineEntry = { paymentId, at, actor, kind: "refund_requested", detail: amountDetail(amount) };
  return by === undefined ? [requested] : [requested, { paymentId, at, actor, kind: "refund_decided", detail: by }];
}

function assertState(payment: Payment, { amount, allowedStates = REFUNDABLE }: RefundRequest): void {
  const { currency } = money(amount.minor, amount.currency);
  if (!allowedStates.includes(payment.state) && REFUNDABLE.includes(payment.state)) {
    throw new CheckoutError("refund_not_possible", "This payment counts for its order now: refund it in the shop.");
  }
  if (!REFUNDABLE.includes(payment.state) || currency !== amountPaid(payment).currency) {
    throw new CheckoutError(
      "refund_not_possible",
      "This payment cannot be refunded: no money arrived in this currency.",
    );
  }
}

function assertAmount(payment: Payment, known: readonly Refund[], { amount }: RefundRequest): Money {
  const exact = money(amount.minor, amount.currency);
  const remaining = refundableAmount(payment, known);
  if (exact.minor === 0 || exact.minor > remaining.minor) {
    throw new CheckoutError("refund_too_large", `At most ${formatMoney(remaining, "en")} can be refunded.`);
  }
  return exact;
}

function newRefund(
  payment: Payment,
  transactionId: string,
  amount: Money,
  { paymentId, key, origin, reason = "requested_by_customer" }: RefundRequest,
  requestedAt: number,
): Refund {
  const request = {
    transaction_id: transactionId,
    amount: toWire(amount, amountUnitOf(payment)),
    reason,
    refund_type: amount.minor === amountPaid(payment).minor ? "full" : "partial",
  };

  return {
    key,
    paymentId,
    origin,
    amount,
    request: JSON.stringify(request),
    transactionId,
    state: "requested",
    refundId: null,
    requestedAt,
    readOnlySince: null,
    mark: null,
    markReadAt: null,
    unmarkedKey: null,
    otherKeys: [],
  };
}
