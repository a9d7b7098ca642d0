import type { Finding } from "../domain/finding.ts";
import type { NewJob } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import { type AmountUnit, fromWire, type Money } from "../domain/money.ts";
import { amountPaid, amountUnitOf, type Payment } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import { provenTransaction, type Refund, type RefundReading } from "../domain/refund.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { jobOf, reopenJobs, signalJob } from "../payments/payment-jobs.ts";
import { type PaymentUpdate, updatePayment } from "../payments/update-payment.ts";
import { findTransaction } from "../sessions/find-transaction.ts";

/**
 * Reads what the service knows of a payment's refunds and records it: outcomes of our own, and refunds that were made in the
 * service's dashboard. Only what was read here ever makes a payment `refunded`.
 *
 * @throws CheckoutError `payment_not_found`, `service_unavailable`
 */
export async function syncRefunds(engine: Engine, paymentId: string): Promise<readonly Refund[]> {
  const payment = await getPayment(engine, paymentId);
  const before = await engine.ledger.refunds(paymentId);
  const transactionId = provenTransaction(before) ?? (await findTransaction(engine, payment));
  if (transactionId === null) return before;
  const service = await engine.tenants.service(payment.credentialId);
  const want = { transactionId, since: payment.createdAt - limits.clockSkewMs, deadlineMs: limits.serviceCallMs };
  const readings = await service.readRefunds(payment, want);
  await updatePayment(engine, paymentId, async (current) => {
    const known = await engine.ledger.refunds(paymentId);
    const learned = mergeReadings(current, transactionId, known, readings);
    return learned.length === 0 ? null : refundsUpdate(engine, current, known, learned);
  });
  return await engine.ledger.refunds(paymentId);
}

/**
 * Refunds with what they mean for their payment: the whole sum back is `refunded`; a failed refund puts a payment that was to
 * be refunded entirely under review.
 */
export function refundsUpdate(
  engine: Engine,
  payment: Payment,
  known: readonly Refund[],
  learned: readonly Refund[],
): PaymentUpdate {
  const keys = new Set(learned.map(({ key }) => key));
  const all = [...known.filter(({ key }) => !keys.has(key)), ...learned];
  const change = afterRefunds(payment, all, learned);
  const next = { ...payment, ...change };
  const at = engine.clock.now();
  return {
    change,
    refunds: learned,
    jobs: [
      ...learned.flatMap((refund) => refundJobs(payment, known, refund, at)),
      ...reviewJobs(payment, next, at),
      ...(next.state === "refunded" ? reopenJobs(payment, at) : []),
    ],
    timeline: learned.map((refund) => entryOf(refund, at)),
  };
}

export function sumOf(refunds: readonly Refund[], states: readonly Refund["state"][]): number {
  return refunds.filter(({ state }) => states.includes(state)).reduce((sum, { amount }) => sum + amount.minor, 0);
}

/** What arrived for a payment and is neither given back nor on its way back. */
export function refundableAmount(payment: Payment, refunds: readonly Refund[]): Money {
  const { minor, currency } = amountPaid(payment);
  return { minor: minor - sumOf(refunds, ["completed", "pending"]), currency };
}

function mergeReadings(
  payment: Payment,
  transactionId: string,
  known: readonly Refund[],
  readings: readonly RefundReading[],
): Refund[] {
  const unit = amountUnitOf(payment);
  const unnamed = known.filter(({ refundId, state }) => refundId === null && state !== "failed");
  const learned: Refund[] = [];
  for (const reading of readings) {
    const { id, status } = reading;
    const own = known.find(({ refundId }) => refundId === id);
    // It may be one of ours whose answer was lost: that is found out under its own key.
    const isUnclear = own === undefined && unnamed.some((refund) => couldBeSameRefund(refund, reading, unit));
    if (isUnclear || own?.state === status) continue;
    learned.push(own ? { ...own, state: status } : externalRefund(payment, transactionId, reading));
  }
  return learned;
}

/**
 * Whether a refund of the service can be this one of ours: it has its amount, and it was not made before ours was asked for.
 * One of which the service does not say when it was made may be as old as the payment.
 */
export function couldBeSameRefund(refund: Refund, { wireAmount, createdAt }: RefundReading, unit: AmountUnit): boolean {
  const amount = fromWire(wireAmount, refund.amount.currency, unit);
  const isYoung = createdAt === undefined || createdAt >= refund.askedAt - limits.clockSkewMs;
  return amount?.minor === refund.amount.minor && isYoung;
}

const EXTERNAL_PREFIX = "service:";

/** The key of a refund that nobody here asked for, by the service's id; and the reverse, null for every other key. */
export function externalRefundKey(refundId: string): string {
  return `${EXTERNAL_PREFIX}${refundId}`;
}

export function externalRefundId(key: string): string | null {
  return key.startsWith(EXTERNAL_PREFIX) ? key.slice(EXTERNAL_PREFIX.length) : null;
}

// A refund of the service's dashboard.
function externalRefund(
  payment: Payment,
  transactionId: string,
  { id, status, wireAmount, createdAt }: RefundReading,
): Refund {
  const { currency } = amountPaid(payment);
  return {
    key: externalRefundKey(id),
    paymentId: payment.id,
    origin: "service",
    amount: fromWire(wireAmount, currency, amountUnitOf(payment)) ?? { minor: 0, currency },
    request: "",
    transactionId,
    state: status,
    refundId: id,
    askedAt: createdAt ?? payment.createdAt,
    readOnlySince: null,
    otherKeys: [],
  };
}

function afterRefunds(payment: Payment, all: readonly Refund[], learned: readonly Refund[]): Partial<Payment> {
  // A refund that the service made proves its transaction; the payment may still name a declined try.
  const transactionId = provenTransaction(learned) ?? payment.transactionId;
  if (sumOf(all, ["completed"]) >= amountPaid(payment).minor) {
    return { state: afterFact(payment.state, "refundDone"), transactionId, nextCheckAt: null };
  }
  const failed = learned.find(({ state }) => state === "failed");
  if (!failed) return { transactionId };
  const state = afterFact(payment.state, "refundFailed");
  const isBack = payment.state === "refunding" && state === "review";
  return { transactionId, state, finding: isBack ? (payment.finding ?? refundFailed(failed)) : payment.finding };
}

// A second payment of an order, say, comes back without a finding of its own: the owner is told what went wrong last.
function refundFailed({ amount }: Refund): Finding {
  return { code: "refund_failed", expected: `${amount.minor} ${amount.currency}`, found: "still here" };
}

// A refund that the store asked for is its own: it must not be told of it again. But one that failed after the store heard
// that it is under way may stand in its books.
function refundJobs(payment: Payment, known: readonly Refund[], refund: Refund, now: number): NewJob[] {
  const { key, state, origin } = refund;
  const before = known.find((one) => one.key === key)?.state;
  if (state !== "completed" && state !== "failed") {
    // Nobody here asked for it: without this, its end would be known by one webhook alone.
    const isNew = origin === "service" && before === undefined;
    return isNew ? [jobOf(payment, "refund", key, now + limits.refundCheckMs)] : [];
  }
  if (origin !== "store") return [jobOf(payment, "refund", key, now)];
  const wasUnderWay = before === "pending" || before === "unknown";
  return state === "failed" && wasUnderWay ? [jobOf(payment, "note", `refund_failed:${key}`, now)] : [];
}

// While its money was on its way back nobody had to look at a payment: the owner may never have been shown why it is held.
// A store that was told in time may show it as paid, so there is a look before that.
function reviewJobs(before: Payment, next: Payment, now: number): NewJob[] {
  if (before.state !== "refunding" || next.state !== "review") return [];
  const told = next.storeTries > 0;
  const shownAt = told ? now + limits.confirmAgainMs : now;
  const shown = next.finding === null ? [] : [jobOf(next, "hold", JSON.stringify(next.finding), shownAt)];
  return told ? [signalJob(next, "signal", now), ...shown] : shown;
}

function entryOf({ paymentId, amount, state, origin }: Refund, at: number): TimelineEntry {
  const who = origin === "service" ? "webhook" : origin === "store" ? "store" : "operator";
  return { paymentId, at, actor: who, kind: `refund_${state}`, detail: `${amount.minor} ${amount.currency}` };
}
