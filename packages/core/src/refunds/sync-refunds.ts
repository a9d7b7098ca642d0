import type { Finding } from "../domain/finding.ts";
import type { NewJob } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Money } from "../domain/money.ts";
import { amountPaid, amountUnitOf, type Payment } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import { provenTransaction, type Refund, type RefundReading } from "../domain/refund.ts";
import { amountDetail, type TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { jobOf, reopenJobs, signalJob } from "../payments/payment-jobs.ts";
import { type PaymentUpdate, updatePayment } from "../payments/update-payment.ts";
import { findTransaction, type PayingTransaction } from "../sessions/find-transaction.ts";
import { couldBeSameRefund, readAmount } from "./refund-reading.ts";

/**
 * Reads a payment's refunds from the service and records them: results of our refunds, and refunds that were made in the
 * service's dashboard.
 *
 * @throws CheckoutError `payment_not_found`, `service_unavailable`
 */
export async function syncRefunds(engine: Engine, paymentId: string): Promise<readonly Refund[]> {
  const payment = await getPayment(engine, paymentId);
  const before = await engine.ledger.refunds(paymentId);
  const proven = provenTransaction(before);
  const transaction = proven === undefined ? await findTransaction(engine, payment) : { id: proven };
  return transaction === null ? before : await syncRefundsOf(engine, payment, transaction);
}

/** Like `syncRefunds`, for the transaction that paid the payment. */
export async function syncRefundsOf(
  engine: Engine,
  payment: Payment,
  { id: transactionId, code: transactionCode }: PayingTransaction,
): Promise<readonly Refund[]> {
  const service = await engine.tenants.service(payment.credentialId);
  const since = payment.createdAt - limits.serviceClockSkewMs;
  const query = { transactionId, transactionCode, since, deadlineMs: limits.serviceCallMs };
  const { refunds: readings } = await service.readRefunds(payment, query);
  await updatePayment(engine, payment.id, async (current) => {
    const known = await engine.ledger.refunds(payment.id);
    const changed = changedRefunds(engine, { payment: current, transactionId, known, readings });
    return changed.length === 0 ? null : updateForRefunds(engine, current, known, changed);
  });
  return await engine.ledger.refunds(payment.id);
}

/**
 * The update of a payment for changed refunds. A payment whose whole amount is refunded becomes `refunded`. A payment that is being
 * refunded goes under review once no refund of it is left without a result.
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

type ReadRefunds = {
  readonly payment: Payment;
  readonly transactionId: string;
  readonly known: readonly Refund[];
  readonly readings: readonly RefundReading[];
};

function changedRefunds(engine: Engine, { payment, transactionId, known, readings }: ReadRefunds): Refund[] {
  const withoutId = known.filter(({ refundId, state }) => refundId === null && state !== "failed");
  const changed: Refund[] = [];
  for (const reading of readings) {
    const stored = known.find(({ refundId }) => refundId === reading.id);
    const amount = readAmount(payment, reading);
    const isNew = stored === undefined && !withoutId.some((refund) => couldBeOurs(payment, refund, reading));
    if (isNew && amount === null) engine.log.warn("refund.unreadable", { paymentId: payment.id, refundId: reading.id });
    if (isNew && amount !== null) changed.push(toExternalRefund(payment, transactionId, { ...reading, amount }));
    if (stored && stored.state !== reading.status)
      changed.push({ ...stored, state: reading.status, amount: amount ?? stored.amount });
  }
  return changed;
}

// Whether a refund that the service shows may be one of ours, whose response was lost or has not arrived yet. That refund is settled
// under its key (send-refund.ts). A refund that is being sent may also be made with another amount than was asked for.
function couldBeOurs(payment: Payment, refund: Refund, reading: RefundReading): boolean {
  return refund.state === "requested" || couldBeSameRefund(refund, reading, amountUnitOf(payment));
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
  { id, status, amount, createdAt }: RefundReading & { readonly amount: Money },
): Refund {
  return {
    key: externalRefundKey(id),
    paymentId: payment.id,
    origin: "service",
    amount,
    request: "",
    transactionId,
    state: status,
    refundId: id,
    requestedAt: createdAt ?? payment.createdAt,
    readOnlySince: null,
    mark: null,
    markReadAt: null,
    unmarkedKey: null,
    otherKeys: [],
  };
}

function afterRefunds(payment: Payment, all: readonly Refund[], changed: readonly Refund[]): Partial<Payment> {
  // A refund that the service made proves its transaction. The payment may still name a declined transaction.
  const transactionId = provenTransaction(changed) ?? payment.transactionId;
  const isRefunded = sumOf(all, ["completed"]) >= amountPaid(payment).minor;
  if (isRefunded) return { state: afterFact(payment.state, "refundDone"), transactionId, nextCheckAt: null };
  // While money may still be on its way back, nobody may count the payment for its order.
  if (payment.state !== "refunding" || all.some(hasNoResult)) return { transactionId };
  const failed = all.findLast(({ state }) => state === "failed");
  const finding = payment.finding ?? refundFailedFinding(failed?.amount ?? refundableAmount(payment, all));
  return { transactionId, state: afterFact(payment.state, "refundFailed"), finding };
}

/** Whether money of this refund may still go back. */
function hasNoResult({ state }: Refund): boolean {
  return state === "requested" || state === "unknown" || state === "pending";
}

// A payment without a finding, such as a duplicate, goes under review with the failed refund as its finding.
function refundFailedFinding(amount: Money): Finding {
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
