import { CheckoutError } from "../domain/checkout-error.ts";
import { certainTransactions, type Equation } from "../domain/equation.ts";
import { limits } from "../domain/limits.ts";
import { type AmountUnit, fromWire, type Money, sameMoney } from "../domain/money.ts";
import { type Movements, namesTransaction } from "../domain/movement.ts";
import { amountUnitOf, type Payment } from "../domain/payment.ts";
import { afterFact, type PaymentState } from "../domain/payment-states.ts";
import { isInDoubt, type Refund } from "../domain/refund.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { appliesStill } from "../payments/applies-still.ts";
import { gatherMovements, lostToDisputeAfter } from "../payments/gather-movements.ts";
import { compareJobs, hasUnmatchedDeliveries, jobOf, reopenJobs } from "../payments/payment-jobs.ts";
import { getPayment, retryOnConflict } from "../payments/stored-payment.ts";
import { isMarkOf } from "../signing/refund-mark.ts";
import { assertAmount, assertOriginal, assertState, assertWriteSettled } from "./assert-refundable.ts";
import { chooseTransaction } from "./choose-transaction.ts";
import { newRefund } from "./new-refund.ts";
import { readBeforeRefund } from "./read-before-refund.ts";
import { sendRefund } from "./send-refund.ts";

export type RefundRequest = {
  readonly paymentId: string;
  /**
   * The store's id of this refund, 1 to 255 characters. A repeated key is the same refund and never a second refund. Keys are unique
   * among all refunds of the ledger: a store whose numbers may repeat in another store adds its store id as a prefix.
   */
  readonly key: string;
  readonly amount: Money;
  /** The transaction to refund, by id or code. Default: the transaction that paid the session. */
  readonly transactionId?: string;
  /**
   * A person's confirmation that this refund may exceed what a dispute leaves: the disputed sum that the person saw. A rule never
   * confirms.
   */
  readonly overDispute?: Money;
  /** `store`: the store requested the refund and records it itself. `tillkit`: the merchant or a rule decided; we write it to the store. */
  readonly origin: "store" | "tillkit";
  readonly reason?: string;
  /**
   * The refunds of this payment that the store shows, by our keys or the service's ids. A refund of the same amount that the store
   * does not show is the same decision: the store lost our response and requests it again. Absent where the store cannot list them. A
   * function is asked before each answer: another process of the store may have shown one of these refunds meanwhile.
   */
  readonly recordedRefunds?: readonly string[] | ((known: readonly Refund[]) => Promise<readonly string[]>);
  /**
   * The store repeats a request under the same key, so a different key is always a different decision. The refund is sent after any
   * refund in doubt is settled.
   */
  readonly reusesKeys?: true;
  /**
   * The store asks from its own record of this payment (Medusa, Vendure). So our write has taken effect, or the platform is undoing it
   * with this very request, and the refund need not wait for it.
   */
  readonly shownByStore?: true;
  /** The refund is rejected unless the payment is in one of these states when it is committed. Default: every refundable state. */
  readonly allowedStates?: readonly PaymentState[];
  /** Called right before the refund is committed. false: the reason for the refund no longer exists. */
  readonly stillApplies?: () => Promise<boolean>;
  /** The person who decided the refund, for the timeline: a role or a login, never an e-mail. */
  readonly by?: string;
  /** The id of that person's decision, for the timeline. */
  readonly decision?: string;
};

/**
 * Refunds a payment at most once for each key and never more than was paid (POST /refunds under the key). The state of the result
 * is what the service reported: `completed`, `pending` or `failed`; it is `unknown` when the response was lost.
 *
 * The payment's refunds are read right before a new refund is committed. So a refund of the service's dashboard whose event never
 * arrived is counted, and a refund that a restored ledger has forgotten is found by its mark. While that list cannot be read, nothing
 * is refunded.
 *
 * A refund in doubt blocks every other refund of its payment until it is settled. If a store lost our response and requests the
 * same amount under a new key, it gets the refund that was in doubt and not a second refund. With `recordedRefunds` this also holds
 * days later.
 *
 * @throws CheckoutError `installation_unknown`, `refund_not_possible`, `refund_too_large`, `refund_over_dispute`, `transaction_unknown` (a person says once
 * which transaction paid, see `nameTransaction`), `refund_key_reused`, `amount_invalid`; retryable:
 * `refund_in_doubt`, `write_in_flight` (the shop is still being told of the payment), `service_unavailable`, `ledger_busy`
 */
export async function refundPayment(engine: Engine, request: RefundRequest): Promise<Refund> {
  const busyMessage = "Other processes are changing this payment: try again in a moment.";
  const read: ReadBefore = { isRead: false };
  await assertOriginal(engine);
  return await retryOnConflict(busyMessage, () => nextStep(engine, request, read));
}

/** Sends or reads a refund in doubt again. Null: the refund does not exist. */
export async function resumeRefund(engine: Engine, paymentId: string, key: string): Promise<Refund | null> {
  const refund = (await engine.ledger.refunds(paymentId)).find((known) => known.key === key);
  if (!refund || !isInDoubt(refund)) return refund ?? null;
  await assertOriginal(engine);
  return await sendRefund(engine, refund, "again");
}

/** Whether this call has read the payment's transactions and refunds from the service. */
type ReadBefore = { isRead: boolean };

// Null: the ledger changed, so the step starts over.
async function nextStep(engine: Engine, request: RefundRequest, read: ReadBefore): Promise<Refund | null> {
  const payment = await getPayment(engine, request.paymentId);
  const movements = await gatherMovements(engine.ledger, payment.id);
  const known = movements.refunds;
  const unit = amountUnitOf(payment);
  const existing = known.find((refund) => isOfKey(engine, refund, request.key));
  if (existing) return await repeatRefund(engine, existing, request, unit);
  const doubtful = known.find(isInDoubt);
  const mayBeSame = (refund: Refund) => isOfSameTransaction(refund, payment, movements, request);
  if (doubtful) return await settleDoubtful(engine, doubtful, request, unit, mayBeSame);
  const isRecorded = await recordedBy(request, known);
  const unrecorded = known
    .filter(mayBeSame)
    .filter((refund) => (isRecorded ? !isRecorded(refund) : isForgotten(refund)))
    .find((refund) => isSameDecision(refund, request, unit));
  if (unrecorded) return await answerUnderKey(engine, unrecorded, request.key);
  assertState(payment, request);
  if (!request.shownByStore) await assertWriteSettled(engine, payment);
  if (read.isRead) return await commitRefund(engine, request, payment, movements);
  await readBeforeRefund(engine, payment, request.amount);
  read.isRead = true;
  return null;
}

// A ledger that was restored has forgotten the key. The mark, which the service keeps, was made from it.
function isOfKey({ referenceKeys }: Engine, { key, otherKeys, mark }: Refund, requested: string): boolean {
  if (key === requested || otherKeys.includes(requested)) return true;
  return mark !== null && isMarkOf(mark, requested, referenceKeys);
}

async function repeatRefund(
  engine: Engine,
  existing: Refund,
  request: RefundRequest,
  unit: AmountUnit,
): Promise<Refund | null> {
  if (!wasRequested(existing, request.amount, unit)) {
    throw keyReusedError("This refund was requested before with another amount");
  }
  const isRemembered = existing.key === request.key || existing.otherKeys.includes(request.key);
  if (!isRemembered) return await answerUnderKey(engine, existing, request.key);
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
  mayBeSame: (refund: Refund) => boolean,
): Promise<Refund | null> {
  const settled = await sendRefund(engine, doubtful, "again");
  if (isInDoubt(settled)) {
    const message = "An earlier refund of this payment has no result yet: try again in a moment.";
    throw new CheckoutError("refund_in_doubt", message, { retryable: true });
  }
  if (!mayBeSame(settled) || !isSameDecision(settled, request, unit)) return null;
  // The store shows the refund in answer to another request, which is still under way.
  const isRecorded = await recordedBy(request, await engine.ledger.refunds(settled.paymentId));
  return isRecorded?.(settled) ? null : await answerUnderKey(engine, settled, request.key);
}

// Whether a request under a new key asks for this refund again: the same origin, the same amount, and the refund has not failed.
function isSameDecision(refund: Refund, { reusesKeys, origin, amount }: RefundRequest, unit: AmountUnit): boolean {
  return !reusesKeys && refund.origin === origin && wasRequested(refund, amount, unit) && refund.state !== "failed";
}

// A refund of another transaction of the session is another decision. A request that names none is about the first; a stored refund that
// names no known transaction may be of any of them, and so may one that a restored ledger has forgotten: another was the first then.
function isOfSameTransaction(
  refund: Refund,
  payment: Payment,
  { transactions }: Movements,
  request: RefundRequest,
): boolean {
  if (request.transactionId === undefined && isForgotten(refund)) return true;
  const certain = certainTransactions(payment, transactions);
  const indexOf = (named: string) => certain.findIndex((one) => namesTransaction(named, one));
  const index = indexOf(refund.transactionId);
  return index === -1 || index === Math.max(0, indexOf(request.transactionId ?? ""));
}

// Answers a request under `key` with this refund. The key is stored with the refund, so a later request under the key gets the
// same refund. Null: the ledger changed, or another request was answered with the refund, so the step starts over.
async function answerUnderKey(engine: Engine, refund: Refund, key: string): Promise<Refund | null> {
  const payment = await getPayment(engine, refund.paymentId);
  const known = await engine.ledger.refunds(payment.id);
  const stored = known.find(({ key: storedKey }) => storedKey === refund.key);
  if (stored?.state !== refund.state || stored.otherKeys.length !== refund.otherKeys.length) return null;
  const answered = { ...stored, otherKeys: [...stored.otherKeys, key] };
  const next = { ...payment, version: payment.version + 1 };
  const change = { payment: { next, expect: payment.version }, refunds: [answered], timeline: [] };
  return (await engine.ledger.commit(change)) === "done" ? answered : null;
}

// A refund of ours that a restored ledger knows by its mark alone has lost its keys. Until a request has claimed it, a request for the same
// amount may be its repeat under a key that was forgotten.
function isForgotten({ request, mark, otherKeys }: Refund): boolean {
  return request === "" && mark !== null && otherKeys.length === 0;
}

// Whether the store shows a refund. Null: the store cannot list its refunds.
async function recordedBy(
  { recordedRefunds }: RefundRequest,
  known: readonly Refund[],
): Promise<((refund: Refund) => boolean) | null> {
  if (recordedRefunds === undefined) return null;
  const names = typeof recordedRefunds === "function" ? await recordedRefunds(known) : recordedRefunds;
  return ({ key, refundId }) => names.includes(key) || (refundId !== null && names.includes(refundId));
}

// Commits under the version that was read before the comparisons, so a movement that was committed since is seen in the next round.
async function commitRefund(
  engine: Engine,
  request: RefundRequest,
  payment: Payment,
  movements: Movements,
): Promise<Refund | null> {
  const { transaction, equation, isMain } = await chooseTransaction(engine, payment, movements, request);
  if (await hasUnmatchedDeliveries(engine, [transaction])) {
    const message = "What the service reported of this transaction is being recorded: try again in a moment.";
    throw new CheckoutError("ledger_busy", message, { retryable: true });
  }
  const amount = assertAmount(engine, payment, equation, request);
  if (!(await appliesStill(engine, request.stillApplies))) {
    const message = "The order changed while this refund was prepared: the decision is checked again.";
    throw new CheckoutError("ledger_busy", message, { retryable: true });
  }
  const at = engine.clock.now();
  const refund = await newRefund(engine, payment, transaction, amount, request);
  // Refunds alone return everything: nobody may count the payment for its order any more.
  const isFull = isMain && equation.returned.minor + equation.leaving.minor + amount.minor >= equation.received.minor;
  const after = { ...movements, refunds: [...movements.refunds, refund] };
  const next = {
    ...payment,
    state: isFull ? afterFact(payment.state, "refundRequested") : payment.state,
    lostToDispute: await lostToDisputeAfter(engine, payment, after),
    version: payment.version + 1,
  };
  const answer = await engine.ledger.commit({
    payment: { next, expect: payment.version },
    refunds: [refund],
    // The job continues the refund if this process dies before the response is recorded.
    jobs: [
      jobOf(payment, { kind: "refund", key: refund.key }, at + limits.reconfirmAfterMs),
      ...(isFull
        ? [...reopenJobs(payment, at), ...(payment.state === "recorded" ? [] : compareJobs(payment, at))]
        : []),
    ],
    timeline: timelineOf(payment, amount, equation, request, at),
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
  { available, disputed }: Equation,
  { origin, by, decision, key: refundKey }: RefundRequest,
  at: number,
): TimelineEntry[] {
  const entry = { paymentId, at, actor: origin === "store" ? "store" : "operator" } as const;
  const isOver = amount.minor > available.minor;
  return [
    { ...entry, kind: "refund_requested", amount },
    ...(isOver ? [{ ...entry, kind: "refund_over_dispute", amount: disputed } as const] : []),
    ...(by === undefined
      ? []
      : [{ ...entry, kind: "refund_decided", by, ...(decision && { decision, refundKey }) } as const]),
  ];
}
