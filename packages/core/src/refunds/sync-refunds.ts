import type { Finding } from "../domain/finding.ts";
import type { NewJob } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import { type AmountUnit, fromWire, type Money } from "../domain/money.ts";
import { amountPaid, amountUnitOf, type Payment } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import { provenTransaction, type Refund, type RefundReading } from "../domain/refund.ts";
import { amountDetail, type TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { jobOf, reopenJobs, signalJob } from "../payments/payment-jobs.ts";
import { type PaymentUpdate, updatePayment } from "../payments/update-payment.ts";
import { findTransaction } from "../sessions/find-transaction.ts";

/**
 * Reads a payment's refunds from the service and records them: results of our refunds, and refunds that were made in the
 * service's dashboard.
 *
 * @throws CheckoutError `payment_not_found`, `service_unavailable`
 */
export async function syncRefunds(engine: Engine, paymentId: string): Promise<readonly Refund[]> {
  const payment = await getPayment(engine, paymentId);
  const before = await engine.ledger.refunds(paymentId);
  const transactionId = provenTransaction(before) ?? (await findTransaction(engine, payment));
  if (transactionId === null) return before;
  const service = await engine.tenants.service(payment.credentialId);
  const query = { transactionId, since: payment.createdAt - limits.clockSkewMs, deadlineMs: limits.serviceCallMs };
  const readings = await service.readRefunds(payment, query);
  await updatePayment(engine, paymentId, async (current) => {
    const known = await engine.ledger.refunds(paymentId);
    const changed = changedRefunds(current, transactionId, known, readings);
    return changed.length === 0 ? null : updateForRefunds(engine, current, known, changed);
  });
  return await engine.ledger.refunds(paymentId);
}

/**
 * The update of a payment for changed refunds. A payment whose whole amount is refunded becomes `refunded`. If a full refund fails,
 * the payment goes under review.
 */
export function updateForRefunds(
  engine: Engine,
  payment: Payment,
  known: readonly Refund[],
  changed: readonly Refund[],
): PaymentUpdate {
  const keys = new Set(changed.map(({ key }) => key));
  const all = [...known.filter(({ key }) => !keys.has(key)), ...changed];
  const change = afterRefunds(payment, all, changed);
  const next = { ...payment, ...change };
  const at = engine.clock.now();
  return {
    change,
    refunds: changed,
    jobs: [
      ...changed.flatMap((refund) => refundJobs(payment, known, refund, at)),
      ...reviewJobs(payment, next, at),
      ...(next.state === "refunded" ? reopenJobs(payment, at) : []),
    ],
    timeline: changed.map((refund) => entryOf(refund, at)),
  };
}

export function sumOf(refunds: readonly Refund[], states: readonly Refund["state"][]): number {
  return refunds.filter(({ state }) => states.includes(state)).reduce((sum, { amount }) => sum + amount.minor, 0);
}

/** The part of the amount received that is neither refunded nor in a pending refund. */
export function refundableAmount(payment: Payment, refunds: readonly Refund[]): Money {
  const { minor, currency } = amountPaid(payment);
  return { minor: minor - sumOf(refunds, ["completed", "pending"]), currency };
}

function changedRefunds(
  payment: Payment,
  transactionId: string,
  known: readonly Refund[],
  readings: readonly RefundReading[],
): Refund[] {
  const unit = amountUnitOf(payment);
  const withoutId = known.filter(({ refundId, state }) => refundId === null && state !== "failed");
  const changed: Refund[] = [];
  for (const reading of readings) {
    const { id, status } = reading;
    const stored = known.find(({ refundId }) => refundId === id);
    // The refund may be one of ours whose response was lost. That refund is settled under its key (send-refund.ts).
    const isAmbiguous = stored === undefined && withoutId.some((refund) => couldBeSameRefund(refund, reading, unit));
    if (isAmbiguous || stored?.state === status) continue;
    changed.push(stored ? { ...stored, state: status } : toExternalRefund(payment, transactionId, reading));
  }
  return changed;
}

/**
 * Whether a refund that the service shows can be our `refund`: the amounts are equal, and the service's refund is not older than
 * our request. A refund without a creation time is possible too.
 */
export function couldBeSameRefund(refund: Refund, { wireAmount, createdAt }: RefundReading, unit: AmountUnit): boolean {
  const amount = fromWire(wireAmount, refund.amount.currency, unit);
  const isNewEnough = createdAt === undefined || createdAt >= refund.requestedAt - limits.clockSkewMs;
  return amount?.minor === refund.amount.minor && isNewEnough;
}

const EXTERNAL_PREFIX = "service:";

/** The key of a refund that was made in the service's dashboard. `externalRefundId` is the reverse and returns null for every other key. */
export function externalRefundKey(refundId: string): string {
  return `${EXTERNAL_PREFIX}${refundId}`;
}

export function externalRefundId(key: string): string | null {
  return key.startsWith(EXTERNAL_PREFIX) ? key.slice(EXTERNAL_PREFIX.length) : null;
}

function toExternalRefund(
  payment: Payment,
  transactionId: string,
  { id, status, wireAmount, createdAt }: RefundReading,
): Refund {
  const { currency } = amountPaid(payment);
  return {
    key: externalRefundKey(id),
    paymentId: payment.id,
    origin: "service",
    // Zero: the service reported no exact amount.
    amount: fromWire(wireAmount, currency, amountUnitOf(payment)) ?? { minor: 0, currency },
    request: "",
    transactionId,
    state: status,
    refundId: id,
    requestedAt: createdAt ?? payment.createdAt,
    readOnlySince: null,
    otherKeys: [],
  };
}

function afterRefunds(payment: Payment, all: readonly Refund[], changed: readonly Refund[]): Partial<Payment> {
  // A refund that the service made proves its transaction. The payment may still name a declined transaction.
  const transactionId = provenTransaction(changed) ?? payment.transactionId;
  if (sumOf(all, ["completed"]) >= amountPaid(payment).minor) {
    return { state: afterFact(payment.state, "refundDone"), transactionId, nextCheckAt: null };
  }
  const failed = changed.find(({ state }) => state === "failed");
  if (!failed) return { transactionId };
  const state = afterFact(payment.state, "refundFailed");
  const needsReview = payment.state === "refunding" && state === "review";
  return {
    transactionId,
    state,
    finding: needsReview ? (payment.finding ?? refundFailedFinding(failed)) : payment.finding,
  };
}

// A payment without a finding, such as a duplicate, goes under review with the failed refund as its finding.
function refundFailedFinding({ amount }: Refund): Finding {
  return {
    code: "refund_failed",
    expected: amountDetail(amount),
    found: "not refunded",
    amounts: { expected: amount },
  };
}

// The store has recorded a refund that it requested itself, so it is not written again. If the refund fails after the store was
// told that it is pending, the store must be corrected.
function refundJobs(payment: Payment, known: readonly Refund[], refund: Refund, now: number): NewJob[] {
  const { key, state, origin } = refund;
  const before = known.find((stored) => stored.key === key)?.state;
  if (state !== "completed" && state !== "failed") {
    // Without this job only a single webhook would report the result of a refund from the dashboard.
    const isNew = origin === "service" && before === undefined;
    return isNew ? [jobOf(payment, "refund", key, now + limits.refundCheckMs)] : [];
  }
  if (origin !== "store") return [jobOf(payment, "refund", key, now)];
  const wasReportedPending = before === "pending" || before === "unknown";
  return state === "failed" && wasReportedPending ? [jobOf(payment, "note", `refund_failed:${key}`, now)] : [];
}

// A payment that returns from `refunding` to `review` may never have been shown to the merchant as held. If a write to the store
// was attempted, the store may show the payment as paid, so a confirm comes before the hold.
function reviewJobs(before: Payment, next: Payment, now: number): NewJob[] {
  if (before.state !== "refunding" || next.state !== "review") return [];
  const wasWritten = next.storeTries > 0;
  const holdAt = wasWritten ? now + limits.reconfirmAfterMs : now;
  const holds = next.finding === null ? [] : [jobOf(next, "hold", JSON.stringify(next.finding), holdAt)];
  return wasWritten ? [signalJob(next, "signal", now), ...holds] : holds;
}

const ACTOR_OF_ORIGIN = {
  service: "webhook",
  store: "store",
  tillkit: "operator",
} as const satisfies Record<Refund["origin"], TimelineEntry["actor"]>;

function entryOf({ paymentId, amount, state, origin }: Refund, at: number): TimelineEntry {
  return { paymentId, at, actor: ACTOR_OF_ORIGIN[origin], kind: `refund_${state}`, detail: amountDetail(amount) };
}
