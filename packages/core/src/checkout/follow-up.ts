import type { Finding } from "../domain/finding.ts";
import { sameFinding } from "../domain/finding.ts";
import type { JobKind, NewJob } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import { type Money, sameMoney } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact, type Fact, type PaymentState } from "../domain/payment-states.ts";
import type { Arrived, Verdict } from "../domain/verdict.ts";
import type { Change } from "../ports/payment-ledger.ts";
import type { Engine } from "./engine.ts";
import type { Look } from "./look.ts";

type PaymentChange = Change & { readonly payment: { readonly next: Payment; readonly expect: number } };

/**
 * What a verdict changes: the payment's state, the jobs that tell the store, one line of the story. Null when it says
 * nothing new, so that looking twice leaves one trace.
 */
export function followUp(engine: Engine, payment: Payment, verdict: Verdict, look: Look): PaymentChange | null {
  const now = engine.clock.now();
  const next = { ...payment, ...learned(payment, verdict, now), version: payment.version + 1 };
  const isNews = next.state !== payment.state || !sameFinding(next.finding, payment.finding);
  if (!isNews && sameReceived(next.received, payment.received)) return null;
  const line = { paymentId: payment.id, at: now, who: look.who, ...storyOf(payment, verdict, next) };
  return {
    payment: { next, expect: payment.version },
    jobs: isNews ? jobsFor(engine, payment, next, verdict, now + look.confirmAfterMs, now) : [],
    story: isNews ? [line] : [],
  };
}

function sameReceived(left: Money | null, right: Money | null): boolean {
  return left === null || right === null ? left === right : sameMoney(left, right);
}

function learned(payment: Payment, verdict: Verdict, now: number): Partial<Payment> {
  const state = (fact: Fact) => afterFact(payment.state, fact);
  switch (verdict.say) {
    case "wait":
      return { state: state("waiting"), finding: null };
    case "lapsed":
      return { state: state(isGraceOver(payment, now) ? "graceOver" : "lapsed"), finding: null };
    case "unreadable":
      return unreadable(payment, now);
    case "paid": {
      const { paid, transactionId } = verdict.receipt;
      return { state: state("paid"), received: paid, transactionId, finding: null };
    }
    case "accepted":
      return { state: state("accepted"), waiver: verdict.waiver, finding: null, ...receivedBy(payment, verdict) };
    case "settled":
      return { state: state("storeHasIt"), finding: null, storeWriteAt: null, nextCheckAt: null };
    case "duplicate":
      return { state: state("duplicate"), nextCheckAt: null, ...receivedBy(payment, verdict) };
    case "refunded":
      // What was asked for is not given back yet: that is recorded together with the refund's answer, nowhere else.
      return payment.state === "refunding" ? {} : { state: state("refundDone"), nextCheckAt: null };
    case "mismatch":
      return { state: state("mismatch"), finding: verdict.finding, ...receivedBy(payment, verdict) };
  }
}

// A payment that waits shows why nothing is known of it, and keeps waiting: without a reading nobody is told that money arrived.
function unreadable(payment: Payment, now: number): Partial<Payment> {
  if (!WAITS.has(payment.state)) return {};
  if (isGraceOver(payment, now)) return { state: afterFact(payment.state, "graceOver"), finding: null };
  return { finding: { code: "not_verifiable", expected: "status", found: "not in the service's answer" } };
}

const WAITS: ReadonlySet<PaymentState> = new Set(["open", "superseded", "expired"]);

function receivedBy(payment: Payment, arrived: Arrived): Arrived {
  return {
    received: arrived.received ?? payment.received,
    transactionId: arrived.transactionId ?? payment.transactionId,
  };
}

function isGraceOver(payment: Payment, now: number): boolean {
  return payment.session === null || now >= payment.session.expiresAt + limits.graceMs;
}

function storyOf(payment: Payment, verdict: Verdict, next: Payment): { what: string; detail: string } {
  if (verdict.say === "mismatch") return { what: "held", detail: JSON.stringify(verdict.finding) };
  if (verdict.say === "duplicate") return { what: "duplicate", detail: verdict.paidBy };
  if (verdict.say === "settled") return { what: "recorded", detail: "" };
  if (next.state === "closed") return { what: "closed", detail: "" };
  if (verdict.say === "accepted") return { what: "accepted_by_hand", detail: verdict.waiver.by };
  return { what: verdict.say, detail: payment.state === "expired" && verdict.say === "paid" ? "late" : "" };
}

function jobsFor(
  engine: Engine,
  before: Payment,
  next: Payment,
  verdict: Verdict,
  confirmAt: number,
  now: number,
): NewJob[] {
  if (verdict.say === "paid" || verdict.say === "accepted") return [confirmJob(next, confirmAt)];
  if (verdict.say === "mismatch") return [...holdJobs(engine, next, verdict.finding, now), ...rivalJobs(before, now)];
  if (verdict.say === "duplicate") return duplicateJobs(engine, next, now);
  if (next.state === "refunded") return rivalJobs(before, now);
  return next.state === "closed" ? [jobOf(next, "refuse", "", now)] : [];
}

export function confirmJob(payment: Payment, dueAt: number): NewJob {
  return jobOf(payment, "confirm", "", dueAt);
}

/**
 * Looks anew because of an event. `signal`: something happened. `success`: the service reports that this payment succeeded, so
 * the look is repeated for a while when the session does not show it yet; the transaction that the event names may follow.
 */
export type Signal = "signal" | "success" | `success ${string}`;

/** The transaction that a signal of success names; `""` where it names none, null for every other signal. */
export function reportedTransaction(signal: string): string | null {
  if (signal === "success") return "";
  return signal.startsWith("success ") ? signal.slice("success ".length) : null;
}

export function signalJob(payment: Payment, signal: Signal, dueAt: number): NewJob {
  return jobOf(payment, "confirm", signal, dueAt);
}

/** Shows the owner what differs, and gives the money back where that is the rule. */
export function holdJobs(engine: Engine, payment: Payment, finding: Finding, dueAt: number): NewJob[] {
  const shown = jobOf(payment, "hold", JSON.stringify(finding), dueAt);
  const isRule = engine.giveBack.some((code) => code === finding.code);
  return isRule ? [shown, jobOf(payment, "give-back", "", dueAt)] : [shown];
}

/** Whoever lost against a payment that falls is looked at again, once everybody who saw it standing is done. */
export function rivalJobs(before: Payment, now: number): NewJob[] {
  return before.state === "verified" ? [jobOf(before, "reopen", "", now + 2 * limits.confirmAgainMs)] : [];
}

export function duplicateJobs(engine: Engine, payment: Payment, dueAt: number): NewJob[] {
  const noted = jobOf(payment, "note", "duplicate", dueAt);
  return engine.giveBack.includes("duplicate") ? [noted, jobOf(payment, "give-back", "", dueAt)] : [noted];
}

/** `transactionId`: the try that is under way; `""` where the event did not say. */
export function pendingJob(payment: Payment, transactionId: string, dueAt: number): NewJob {
  return jobOf(payment, "pending", transactionId, dueAt);
}

/** Work on one payment. `payload` is JSON, a key, or `""`. */
export function jobOf({ id, ref }: Payment, kind: JobKind, payload: string, dueAt: number): NewJob {
  return { kind, storeId: ref.storeId, paymentId: id, payload, dueAt };
}
