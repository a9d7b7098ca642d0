import { isLostToDispute } from "../domain/equation.ts";
import { sameFinding } from "../domain/finding.ts";
import type { NewJob } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import { type Money, sameMoney } from "../domain/money.ts";
import {
  isCertain,
  type Movements,
  mergeTransaction,
  namesTransaction,
  type PaidTransaction,
} from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact, type Fact, type PaymentState } from "../domain/payment-states.ts";
import type { EntryFacts } from "../domain/timeline.ts";
import type { ReceivedMoney, Verdict } from "../domain/verdict.ts";
import type { Engine } from "../engine.ts";
import { compareJobs, confirmJob, duplicateJobs, holdJobs, jobOf, reopenJobs } from "../payments/payment-jobs.ts";
import type { Change } from "../ports/payment-ledger.ts";
import type { VerifyOptions } from "./verify-options.ts";

/** `reported`: the transaction that the session named, if any. `movements`: what is stored of the payment's money. */
export type Reported = { readonly reported: string | undefined; readonly movements: Movements };

type PaymentChange = Change & { readonly payment: { readonly next: Payment; readonly expect: number } };

/**
 * What a verdict changes: the payment's state, the jobs that write to its store, and one timeline entry. Null when the verdict
 * changes nothing, so that verifying twice leaves one entry.
 */
export function applyVerdict(
  engine: Engine,
  payment: Payment,
  verdict: Verdict,
  options: VerifyOptions,
  named: Reported,
): PaymentChange | null {
  const now = engine.clock.now();
  const judged = { ...payment, ...stateAfter(payment, verdict, now), version: payment.version + 1 };
  // A dispute may be known before the money that it took.
  const next = { ...judged, lostToDispute: judged.lostToDispute || isLostToDispute(judged, named.movements) };
  const isChanged = next.state !== payment.state || !sameFinding(next.finding, payment.finding);
  if (!isChanged && sameReceived(next.amountReceived, payment.amountReceived)) return null;
  const entry = { paymentId: payment.id, at: now, actor: options.actor, ...factsOf(payment, verdict, next) };
  return {
    payment: { next, expect: payment.version },
    transactions: reportedTransactions(next, named, now),
    jobs: isChanged ? jobsFor(engine, payment, next, verdict, now + options.confirmAfterMs, now) : [],
    timeline: isChanged ? [entry] : [],
  };
}

// The session names the transaction that paid it. Its row counts as reported until it is read.
function reportedTransactions(
  next: Payment,
  { reported, movements }: Reported,
  now: number,
): readonly PaidTransaction[] {
  const { amountReceived } = next;
  if (reported === undefined || amountReceived === null) return [];
  const stored = movements.transactions.find((transaction) => namesTransaction(reported, transaction));
  if (stored && isCertain(stored)) return [];
  const row = {
    id: stored?.id ?? reported,
    code: null,
    paymentId: next.id,
    isRead: false,
    evidence: "identity",
  } as const;
  return [mergeTransaction(stored, { ...row, amount: amountReceived, at: now })];
}

function sameReceived(left: Money | null, right: Money | null): boolean {
  return left === null || right === null ? left === right : sameMoney(left, right);
}

function stateAfter(payment: Payment, verdict: Verdict, now: number): Partial<Payment> {
  const after = (fact: Fact) => afterFact(payment.state, fact);
  switch (verdict.status) {
    case "wait":
      return { state: after("waiting"), finding: null };
    case "expired":
      return { state: after(isGraceOver(payment, now) ? "graceOver" : "sessionExpired"), finding: null };
    case "settling":
      return {};
    case "unreadable":
      return afterUnreadable(payment, now);
    case "paid": {
      const { paid, transactionId } = verdict.receipt;
      return { state: after("paid"), amountReceived: paid, transactionId, finding: null };
    }
    case "accepted":
      return { state: after("accepted"), waiver: verdict.waiver, finding: null, ...receivedOrKnown(payment, verdict) };
    case "recorded":
      // A reading needs no lease: another worker may be writing a refund or a note into the order at this moment.
      return { state: after("storeHasIt"), finding: null, nextCheckAt: null };
    case "duplicate":
      return { state: after("duplicate"), nextCheckAt: null, ...receivedOrKnown(payment, verdict) };
    case "refunded":
      // The requested refund is not completed yet. Its result makes the payment `refunded`.
      return payment.state === "refunding" ? {} : { state: after("refundDone"), nextCheckAt: null };
    case "mismatch":
      return { state: after("mismatch"), finding: verdict.finding, ...receivedOrKnown(payment, verdict) };
  }
}

// An unreadable session adds a finding to a waiting payment. The payment is closed a month after the grace period at the earliest,
// because a response that shows nothing proves nothing.
function afterUnreadable(payment: Payment, now: number): Partial<Payment> {
  if (!WAITING.has(payment.state)) return {};
  // A clock that is months ahead has read it a few times only.
  const wasReadForLong = payment.checks >= limits.unreadableMs / limits.unreadableCheckMs;
  if (wasReadForLong && isGraceOver(payment, now - limits.unreadableMs))
    return { state: afterFact(payment.state, "graceOver"), finding: null };
  return { finding: { code: "not_verifiable", missing: "status" } };
}

const WAITING: ReadonlySet<PaymentState> = new Set(["open", "superseded", "expired"]);

function receivedOrKnown(payment: Payment, reported: ReceivedMoney): ReceivedMoney {
  return {
    amountReceived: reported.amountReceived ?? payment.amountReceived,
    transactionId: reported.transactionId ?? payment.transactionId,
  };
}

function isGraceOver(payment: Payment, now: number): boolean {
  return payment.session === null || now >= payment.session.expiresAt + limits.graceMs;
}

function factsOf(payment: Payment, verdict: Verdict, next: Payment): EntryFacts {
  const { status } = verdict;
  if (status === "mismatch") return { kind: "held", finding: verdict.finding };
  if (status === "duplicate") return { kind: "duplicate", paidBy: verdict.paidBy };
  if (status === "accepted") return { kind: "accepted_by_hand", by: verdict.waiver.by };
  if (next.state === "closed") return { kind: "closed" };
  if (status === "paid" && payment.state === "expired") return { kind: "paid", late: true };
  // A payment that waits changes only when its session can be read again, and a settling one does not change.
  return { kind: status === "wait" || status === "settling" ? "readable" : status };
}

function jobsFor(
  engine: Engine,
  before: Payment,
  next: Payment,
  verdict: Verdict,
  confirmAt: number,
  now: number,
): NewJob[] {
  if (verdict.status === "paid" || verdict.status === "accepted") return [confirmJob(next, confirmAt)];
  if (verdict.status === "mismatch") {
    const jobs = [...holdJobs(engine, next, verdict.finding, now), ...reopenJobs(before, now)];
    return [...jobs, ...compareJobs(next, now)];
  }
  if (verdict.status === "duplicate") return [...duplicateJobs(engine, next, now), ...compareJobs(next, now)];
  if (next.state === "refunded") return [...reopenJobs(before, now), ...compareJobs(before, now)];
  return next.state === "closed" ? [jobOf(next, { kind: "refuse" }, now)] : [];
}
