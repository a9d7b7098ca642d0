import { isLostDispute } from "./dispute.ts";
import { certainTransactions, equationOf, equationsOf, isFullyReturned } from "./equation.ts";
import { ACCEPTED_BY_MARKING_PAID, type Finding, type FindingCode, type SessionField, sameFinding } from "./finding.ts";
import { findPaidOutside, isPaidWithoutNamedPayment, paidByOf, withKnownPayer } from "./known-payer.ts";
import { nextCheck } from "./limits.ts";
import { fromWire, type Money, sameMoney } from "./money.ts";
import type { Movements } from "./movement.ts";
import type { Order } from "./order.ts";
import { amountUnitOf, isReturned, type Payment, type Waiver } from "./payment.ts";
import { isPaying } from "./payment-states.ts";
import type { Receipt } from "./receipt.ts";
import type { SessionReading } from "./session-reading.ts";
import type { ReceivedMoney, Verdict } from "./verdict.ts";

export type Evidence = {
  readonly payment: Payment;
  readonly session: SessionReading;
  /** The order as the store shows it now; null: the order does not exist; `unreadable`: the service cannot accept its total. */
  readonly order: Order | "unreadable" | null;
  /** The other payments of the same order. */
  readonly siblings: readonly Payment[];
  /** The payment's own transactions, refunds and disputes. */
  readonly movements: Movements;
  /** Until when our last write of this payment to its store may still take effect; null: none is under way. */
  readonly writeSettlesAt: number | null;
  readonly now: number;
};

/**
 * Decides the state of one payment from evidence. This pure, total function is the only place where "paid" is decided.
 *
 * A payment is paid when all of these hold: the session that was read is the one stored for this payment; its status is
 * `completed`; its amount and currency equal what was sent and what the order asks now; its reference is ours; its
 * environment, if reported, is the credential's. A missing field makes a payment "not verifiable" and never "paid".
 */
export function judge(given: Evidence): Verdict {
  const evidence = { ...given, order: withKnownPayer(given.order, [given.payment, ...given.siblings]) };
  const verdict = judgeReadings(evidence);
  const { payment, writeSettlesAt: until, now } = evidence;
  // The order was read while our own write to it is under way, so what it shows against this payment is not final.
  const isAgainst = verdict.status === "mismatch" || verdict.status === "duplicate";
  const isSettling = isAgainst && payment.state === "verified" && until !== null && now < until;
  return isSettling ? { status: "settling", until } : verdict;
}

function judgeReadings(evidence: Evidence): Verdict {
  const { payment, session, now } = evidence;
  const ended = judgeEnded(evidence);
  if (ended) return ended;

  const nextCheckAt = nextCheck(payment, now) ?? now;
  if (payment.session === null) return { status: "expired", nextCheckAt };
  if (isUninformative(payment, session)) return { status: "unreadable", nextCheckAt };
  if (session.status === "completed") return judgeCompleted(evidence, payment.session.id);
  // An unknown status counts as unpaid, because the service may add statuses.
  return { status: session.status === "expired" ? "expired" : "wait", nextCheckAt };
}

// The first difference decides. The checks run in this order: the session, the amount received, whether another payment paid the
// order, the order itself.
function judgeCompleted(evidence: Evidence, sessionId: string): Verdict {
  const { payment, session, order, siblings } = evidence;
  const serviceFinding = firstFinding(payment, serviceFindings(payment, session));
  if (serviceFinding?.code === "other_session")
    return { status: "mismatch", finding: serviceFinding, ...NOTHING_RECEIVED };
  // A session may name a declined attempt, so a transaction that was identified before stays the one that paid.
  const identified = certainTransactions(payment, evidence.movements.transactions).find(({ isRead }) => isRead);
  const transactionId = identified?.id ?? session.transactionId ?? null;
  const received = { amountReceived: receivedMoney(payment, session), transactionId };
  // A merchant who marks the order as paid accepts a difference of the amount, but no other difference of the session.
  if (serviceFinding && serviceFinding.code !== "amount_differs")
    return { status: "mismatch", finding: serviceFinding, ...received };
  // The ledger has lost what was decided about this payment, such as an owner's acceptance. The order that shows it is the proof.
  const isRecordedBefore = payment.storeTries === 0 && paidByOf(order) === payment.id;
  if (isRecordedBefore) return { status: "paid", receipt: receiptOf(evidence, sessionId, received) };
  const takenBack = findLostDispute(evidence, received);
  if (takenBack) return { status: "mismatch", finding: takenBack, ...received };
  const waiver = ownerWaiver(evidence);
  if (waiver) return { status: "accepted", waiver, ...received };
  const paidOutside = isOnHold(payment) ? null : firstFinding(payment, [findPaidOutside(order)]);
  const finding = paidOutside ?? serviceFinding;
  if (finding) return { status: "mismatch", finding, ...received };
  const paidBy = findOtherPayer(payment, order, siblings);
  if (paidBy) return { status: "duplicate", paidBy, ...received };
  const orderFinding = firstFinding(payment, orderFindings(payment, order));
  if (orderFinding) return { status: "mismatch", finding: orderFinding, ...received };
  return { status: "paid", receipt: receiptOf(evidence, sessionId, received) };
}

const NOTHING_RECEIVED: ReceivedMoney = { amountReceived: null, transactionId: null };

function receiptOf(evidence: Evidence, sessionId: string, received: ReceivedMoney): Omit<Receipt, "fence"> {
  const { payment, order, siblings } = evidence;
  const returned = siblings.filter(isReturned).map(({ id }) => id);
  return {
    paymentId: payment.id,
    ref: payment.ref,
    attempt: payment.attempt,
    sessionId,
    transactionId: received.transactionId ?? payment.transactionId,
    paid: received.amountReceived ?? payment.amountDue,
    total: order === null || order === "unreadable" ? payment.amountDue : order.total,
    environment: payment.environment,
    ...(payment.storeWriteAt === null ? {} : { unanswered: true }),
    ...(returned.length === 0 ? {} : { returned }),
    ...(payment.waiver ? { acceptedBy: payment.waiver.by } : {}),
    ...(isPaidWithoutNamedPayment(order) ? { alreadyPaid: true } : {}),
  };
}

// A response without id or status (404, 403, an empty body) does not describe the session. A completed session stays completed,
// so a later response with another status is stale.
function isUninformative(payment: Payment, { id, status }: SessionReading): boolean {
  return id === undefined || status === undefined || (status !== "completed" && wasCompletedBefore(payment));
}

// A session that was once read as completed, but without amount or currency, counts as completed too.
function wasCompletedBefore({ amountReceived, state, finding }: Payment): boolean {
  if (amountReceived !== null) return true;
  if (state !== "review" || finding?.code !== "not_verifiable") return false;
  return finding.missing !== "session_id" && finding.missing !== "status";
}

/** Whether the session alone shows that this payment was paid as requested. The order may still differ. */
export function isPaidReading(payment: Payment, reading: SessionReading): boolean {
  return reading.status === "completed" && firstFinding(payment, serviceFindings(payment, reading)) === null;
}

// Verdicts that a reading of the session cannot change.
function judgeEnded(evidence: Evidence): Verdict | null {
  const { payment, order, movements } = evidence;
  if (isFullyReturned(payment, movements)) return { status: "refunded" };
  if (payment.state === "refunding" || payment.state === "refunded") return { status: "refunded" };
  if (payment.state === "recorded") return { status: "recorded" };
  const duplicate = payment.state === "duplicate" ? judgeDuplicate(evidence) : null;
  if (duplicate) return duplicate;
  // A paid order in the store counts only if the service reported the payment before.
  const isHeldBack = payment.state === "review" || payment.state === "duplicate";
  const wasVerified = payment.state === "verified" || (isHeldBack && payment.storeTries > 0);
  if (!wasVerified || paidByOf(order) !== payment.id) return null;
  // The answer to our write is missing, or a late write has put a duplicate on its order: the store may have died after it marked the order
  // paid and before its stock and e-mails. The store is asked once more, so that it repeats what must follow.
  const isUnanswered = payment.state === "duplicate" || (payment.state === "verified" && payment.storeWriteAt !== null);
  if (!isUnanswered || payment.session === null) return { status: "recorded" };
  return { status: "paid", receipt: receiptOf(evidence, payment.session.id, payment), isShown: true };
}

// The payment that counted for the order may have failed since. Then this duplicate is judged again, unless its money is going back.
function judgeDuplicate({ payment, order, siblings, movements }: Evidence): Verdict | null {
  const { amountReceived, transactionId } = payment;
  const paidBy = findOtherPayer(payment, order, siblings);
  if (paidBy) return { status: "duplicate", paidBy, amountReceived, transactionId };
  if (movements.refunds.every(({ state }) => state === "failed")) return null;
  // A late write of ours may have marked the order paid. As long as not all of the money is going back, the order is right.
  if (paidByOf(order) === payment.id && equationOf(payment, movements).available.minor > 0) return null;
  return { status: "duplicate", paidBy: "another payment", amountReceived, transactionId };
}

function findOtherPayer(payment: Payment, order: Evidence["order"], siblings: readonly Payment[]): string | null {
  const winner = siblings.find((other) => !other.lostToDispute && isPaying(other));
  if (winner) return winner.id;
  const shown = paidByOf(order);
  const isLost = siblings.some((other) => other.id === shown && other.lostToDispute);
  return isLost || shown === payment.id || shown === "owner" || shown === "unclear" ? null : shown;
}

// Money that a lost dispute took back pays no order, whoever accepts it. Where the dispute is of a further transaction of the session, the
// one that pays it counts, as long as the whole is not short. An order that shows this payment already stays as it is.
function findLostDispute(
  { movements, order, ...evidence }: Evidence,
  { amountReceived }: ReceivedMoney,
): Finding | null {
  if (paidByOf(order) === evidence.payment.id) return null;
  // The dispute may be known before the money that it took.
  const payment = { ...evidence.payment, amountReceived: amountReceived ?? evidence.payment.amountReceived };
  const disputes = movements.disputes.filter(isLostDispute);
  if (disputes.length === 0) return null;
  const lost = { ...movements, disputes };
  const [own] = equationsOf(payment, lost);
  const whole = equationOf(payment, lost);
  const isOfOther = own.disputed.minor === 0;
  if (isOfOther && whole.available.minor >= own.received.minor) return null;
  const { received, disputed } = isOfOther ? whole : own;
  return { code: "lost_to_dispute", received, disputed };
}

/**
 * The merchant's acceptance of a difference by marking the order as paid. It counts only for the order's single payment, and only
 * after that payment was held: a merchant who marked the order as paid before may have taken cash.
 */
function ownerWaiver({ payment, order, siblings, now }: Evidence): Waiver | null {
  const { finding } = payment;
  if (finding === null || !isOnHold(payment) || !isPaidWithoutNamedPayment(order) || order.paidBy !== "owner")
    return null;
  if (siblings.some(({ state, amountReceived }) => amountReceived !== null && state !== "refunded")) return null;
  const { by, at = now } = order.markedPaid ?? {};
  return {
    finding: { code: "paid_outside", paidBy: "owner", markedBy: null, accepts: finding.code },
    by: by ?? "",
    at,
  };
}

// The payment is held for a difference that the merchant accepts by marking the order as paid.
function isOnHold({ state, finding }: Payment): boolean {
  return state === "review" && finding !== null && ACCEPTED_BY_MARKING_PAID.has(finding.code);
}

/** The findings that a waiver of `paid_outside` covers. */
const COVERED_BY_PAID_OUTSIDE: ReadonlySet<FindingCode> = new Set(["amount_differs", "total_changed", "paid_outside"]);

function firstFinding(payment: Payment, findings: readonly (Finding | null)[]): Finding | null {
  return findings.find((finding) => finding !== null && !isWaived(payment, finding)) ?? null;
}

// A waiver covers exactly one difference, with two exceptions. A waiver of `paid_outside` decides about the order as a whole, so it
// covers the amount as well. Every waiver covers `paid_outside`: the merchant who accepted the payment may also mark its order
// as paid.
function isWaived({ waiver }: Payment, finding: Finding): boolean {
  if (waiver === null) return false;
  if (waiver.finding.code === "paid_outside") return COVERED_BY_PAID_OUTSIDE.has(finding.code);
  return finding.code === "paid_outside" || sameFinding(finding, waiver.finding);
}

function serviceFindings(payment: Payment, reading: SessionReading): (Finding | null)[] {
  return [
    missingFinding("session_id", reading.id),
    missingFinding("status", reading.status),
    differenceFinding("other_session", payment.session?.id, reading.id),
    missingFinding("reference", reading.reference),
    reading.reference === undefined || reading.reference === payment.reference ? null : { code: "other_reference" },
    differenceFinding("other_environment", payment.environment, reading.environment),
    accountFinding(payment.account, reading.account),
    missingFinding("amount", reading.wireAmount),
    missingFinding("currency", reading.currency),
    differenceFinding("currency_differs", payment.amountDue.currency, reading.currency),
    reading.wireAmount === payment.wireAmount ? null : amountFinding(payment, reading),
  ];
}

function amountFinding(payment: Payment, reading: SessionReading): Finding {
  return { code: "amount_differs", expected: payment.amountDue, found: receivedMoney(payment, reading) };
}

function orderFindings(payment: Payment, order: Evidence["order"]): (Finding | null)[] {
  const { amountDue } = payment;
  if (order === null) return [{ code: "order_gone" }];
  if (order === "unreadable") return [{ code: "total_changed", expected: amountDue, found: null }];
  return [
    differenceFinding("other_environment", payment.environment, order.environment),
    findPaidOutside(order),
    sameMoney(order.total, amountDue) ? null : { code: "total_changed", expected: amountDue, found: order.total },
    // An order that this payment has paid cannot be paid again, as expected.
    order.payable || order.paidBy === payment.id || isPaidWithoutNamedPayment(order)
      ? null
      : { code: "order_not_payable", why: null },
  ];
}

function missingFinding(missing: SessionField, value: string | number | undefined): Finding | null {
  return value === undefined ? { code: "not_verifiable", missing } : null;
}

function differenceFinding(
  code: "other_session" | "other_environment" | "currency_differs",
  expected: string | undefined,
  found: string | undefined,
): Finding | null {
  return expected === undefined || found === undefined || expected === found ? null : { code, expected, found };
}

function accountFinding(expected: string | null, found: string | undefined): Finding | null {
  return found === undefined || expected === found ? null : { code: "other_account", expected, found };
}

/** The amount that a completed session reports; null where it reports no amount or no exact amount. */
function receivedMoney(payment: Payment, { wireAmount, currency }: SessionReading): Money | null {
  if (wireAmount === undefined || currency === undefined) return null;
  return fromWire(wireAmount, currency, amountUnitOf(payment));
}
