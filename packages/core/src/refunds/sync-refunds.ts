import { equationOf, isFullyReturned } from "../domain/equation.ts";
import type { Finding } from "../domain/finding.ts";
import type { NewJob } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Money } from "../domain/money.ts";
import { type Movements, namesTransaction, type PaidTransaction } from "../domain/movement.ts";
import { type Payment, startOf } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import { hasNoResult, type Refund, type RefundReading } from "../domain/refund.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import {
  identifyAllTransactions,
  identifyTransaction,
  keepReportedTransaction,
} from "../movements/identify-transaction.ts";
import { gatherMovements, lostToDisputeAfter } from "../payments/gather-movements.ts";
import { compareJobs, jobOf, reopenJobs, signalJob } from "../payments/payment-jobs.ts";
import { getPayment, type PaymentUpdate, updatePayment } from "../payments/stored-payment.ts";
import type { RefundList } from "../ports/service.ts";
import { isUnmarked } from "../signing/refund-mark.ts";
import { toExternalRefund } from "./external-refund.ts";
import {
  couldBeRefund,
  identifiedRefund,
  isSinceRequest,
  markOfReading,
  type RefundContext,
  readAmount,
  refundContext,
} from "./refund-reading.ts";

/**
 * Reads the refunds of a payment's transactions from the service and records them: results of our refunds, refunds of ours that the
 * ledger has forgotten, and refunds that were made in the service's dashboard.
 *
 * @throws CheckoutError `payment_not_found`, `service_unavailable`
 */
export async function syncRefunds(engine: Engine, paymentId: string): Promise<readonly Refund[]> {
  const payment = await getPayment(engine, paymentId);
  const identified = await identifyTransaction(engine, payment);
  if (identified !== null) await syncRefundsOf(engine, await getPayment(engine, paymentId));
  return await engine.ledger.refunds(paymentId);
}

/**
 * Like `syncRefunds`, for known transactions. `isReadable`: every listed row has an id and an exact amount, so all of them are stored.
 * `unstored`: the rows that are not, because they show no id or no amount, and that may be refunds of ours which the ledger has forgotten.
 * `forgotten`: one of these carries our mark. It may be any refund that is asked for again.
 */
export async function syncRefundsOf(
  engine: Engine,
  payment: Payment,
): Promise<{
  readonly isReadable: boolean;
  readonly unstored: readonly RefundReading[];
  readonly forgotten: boolean;
}> {
  const read = new Map<string, readonly RefundReading[]>();
  for (;;) {
    // A list may lead to further transactions.
    const context = await refundContext(engine, payment);
    const next = context.transactions.find(({ id }) => !read.has(id));
    if (next !== undefined) {
      const { refunds, unassigned } = await syncTransaction(engine, payment, next);
      read.set(next.id, [...refunds, ...unassigned.filter((row) => markOfReading(context, row) !== null)]);
      continue;
    }
    const rows = [...read.values()].flat();
    const unstored = rows.filter((row) => mayBeForgotten(context, row));
    return {
      isReadable: rows.every((row) => row.id !== "" && readAmount(payment, row) !== null),
      unstored,
      forgotten: unstored.some((row) => markOfReading(context, row) !== null),
    };
  }
}

// What the service says that it refused has moved no money, and what certainly carries no mark of ours is somebody else's.
function mayBeForgotten(context: RefundContext, row: RefundReading): boolean {
  const isStored = row.id !== "" && readAmount(context.payment, row) !== null;
  const isForeign = context.showsMarks && isUnmarked(row.reason);
  return !isStored && !isForeign && row.status !== "failed" && identifiedRefund(context, row) === undefined;
}

// A payment that is younger than its transaction was dated by a clock that was ahead, as was its session if the ledger lost the service's
// times. Nothing tells when it began, so the refunds are read from the first one on.
function oldestRefundOf(payment: Payment, { at }: PaidTransaction): number {
  const start = startOf(payment);
  return start - limits.clockSkewMs > at ? 0 : start - limits.serviceClockSkewMs;
}

async function syncTransaction(engine: Engine, payment: Payment, transaction: PaidTransaction): Promise<RefundList> {
  const { id, code } = transaction;
  const service = await engine.tenants.service(payment.credentialId);
  const since = oldestRefundOf(payment, transaction);
  const query = { transactionId: id, transactionCode: code ?? undefined, since, deadlineMs: limits.serviceCallMs };
  const list = await service.readRefunds(payment, query);
  const before = await refundContext(engine, payment);
  // A refund that the ledger has forgotten and that names no transaction may be of any one that paid the session.
  const isForgotten = (row: RefundReading) => identifiedRefund(before, row) === undefined;
  if (before.transactions.length === 1 && markedRows(before, list.unassigned).some(isForgotten))
    await identifyAllTransactions(engine, payment);
  for (const row of list.elsewhere) await keepMarkedTransaction(engine, before, row);
  await updatePayment(engine, payment.id, async (current) => {
    const context = await refundContext(engine, current);
    const named = list.refunds.map((row) => ({ ...row, transactionId: id }));
    const rows = [...named, ...markedRows(context, list.unassigned)].filter((row) => row.id !== "");
    // A mark may correct which row is ours, so that the row that was taken for ours is one of the dashboard again.
    const isMarked = (row: RefundReading) => markOfReading(context, row) !== null;
    const marked = rows.filter(isMarked);
    const changed = changedRefunds(engine, context, [...marked, ...rows.filter((row) => !isMarked(row))]);
    return changed.length === 0 ? null : await updateForRefunds(engine, current, changed);
  });
  return list;
}

// Our mark names the payment also where its row names a transaction that the ledger has forgotten, and that nothing else may name.
async function keepMarkedTransaction(engine: Engine, context: RefundContext, row: RefundReading): Promise<void> {
  const { transactionId } = row;
  if (transactionId === undefined || markOfReading(context, row) === null) return;
  await keepReportedTransaction(engine, context.payment, transactionId);
}

// A row that names no transaction of ours is ours only by its mark.
function markedRows(context: RefundContext, rows: readonly RefundReading[]): readonly RefundReading[] {
  return rows.filter((row) => row.id !== "" && markOfReading(context, row) !== null);
}

/**
 * The update of a payment for changed refunds. A payment whose whole amount is refunded becomes `refunded`. A payment that is being
 * refunded goes under review once no refund of it is left without a result.
 */
export async function updateForRefunds(
  engine: Engine,
  payment: Payment,
  changed: readonly Refund[],
): Promise<PaymentUpdate> {
  const movements = await gatherMovements(engine.ledger, payment.id);
  const known = movements.refunds;
  const keys = new Set(changed.map(({ key }) => key));
  const all = { ...movements, refunds: [...known.filter(({ key }) => !keys.has(key)), ...changed] };
  const lostToDispute = await lostToDisputeAfter(engine, payment, all);
  const change = { ...afterRefunds(payment, all), lostToDispute };
  const next = { ...payment, ...change };
  const at = engine.clock.now();
  return {
    change,
    refunds: changed,
    jobs: [
      ...changed.flatMap((refund) => refundJobs(payment, known, refund, at)),
      ...reviewJobs(payment, next, at),
      ...(next.state === "refunded" ? reopenJobs(payment, at) : []),
      ...(next.state === "refunded" && payment.state !== "recorded" ? compareJobs(payment, at) : []),
    ],
    // A mark that was read adds nothing to the timeline.
    timeline: changed.filter((refund) => isNewState(known, refund)).map((refund) => entryOf(refund, at)),
  };
}

function isNewState(known: readonly Refund[], { key, state }: Refund): boolean {
  return known.find((stored) => stored.key === key)?.state !== state;
}

function changedRefunds(engine: Engine, context: RefundContext, readings: readonly RefundReading[]): readonly Refund[] {
  let changed: readonly Refund[] = [];
  let { known } = context;
  for (const reading of readings) {
    // One row after the other: the next row is compared with what this row was recognized as.
    const next = nextRefund(engine, { ...context, known }, reading);
    if (next === null) continue;
    changed = replaced(changed, next);
    known = replaced(known, next);
  }
  return changed;
}

function replaced(refunds: readonly Refund[], next: Refund): readonly Refund[] {
  return [...refunds.filter(({ key }) => key !== next.key), next];
}

// Null: the row changes nothing, or it may be a refund of ours in doubt, which is settled under its key (send-refund.ts).
function nextRefund(engine: Engine, context: RefundContext, reading: RefundReading): Refund | null {
  const { payment, known } = context;
  const amount = readAmount(payment, reading);
  const mark = markOfReading(context, reading);
  const stored = identifiedRefund(context, reading);
  // A refund whose mark was never read may have been taken for this row by its amount alone: the mark corrects that.
  const isResemblance = mark?.isWhole && stored?.markReadAt === null;
  if (stored && (stored.refundId === null || stored.refundId === reading.id || isResemblance)) {
    return changedRefund(engine, context, stored, reading);
  }
  // A person said that this refund was made. The first row that may be it is it, and no further row.
  const isSettledBy = (refund: Refund) =>
    refund.refundId === null &&
    refund.state === "completed" &&
    isSinceRequest(context, refund, reading) &&
    couldBeRefund(context, refund, reading);
  const settled = !mark?.isWhole && reading.status !== "failed" ? known.find(isSettledBy) : undefined;
  if (settled) return changedRefund(engine, context, settled, reading);
  const doubtful = known.filter((refund) => refund.refundId === null && hasNoResult(refund));
  if (!mark?.isWhole && doubtful.some((refund) => couldBeInDoubt(context, refund, reading))) return null;
  if (amount === null) {
    engine.log.warn("refund.unreadable", { paymentId: payment.id, refundId: reading.id });
    return null;
  }
  // A second refund with the mark of a known one went back a second time: the order must show it.
  const wentTwice = stored !== undefined && stored.state !== "failed";
  const origin = mark === null || wentTwice ? "service" : mark.origin;
  const forgotten = { mark: mark?.text ?? null, markReadAt: mark?.isWhole ? engine.clock.now() : null };
  return { ...toExternalRefund(payment, { ...reading, amount }), ...forgotten, origin };
}

function changedRefund(engine: Engine, context: RefundContext, stored: Refund, reading: RefundReading): Refund | null {
  const { id, status } = reading;
  const amount = readAmount(context.payment, reading);
  const mark = markOfReading(context, reading);
  const transactionId = transactionOf(context, stored, reading);
  const now = engine.clock.now();
  // A process may have slept since this row was read.
  const isOlder = status === "pending" && (stored.state === "completed" || stored.state === "failed");
  if (isOlder) return null;
  const isMarkNews = mark?.isWhole && now >= (stored.markReadAt ?? 0) + limits.markReadAgainMs;
  const isPlaced = stored.transactionId !== transactionId;
  if (stored.refundId === id && stored.state === status && !isMarkNews && !isPlaced) return null;
  const read = mark?.isWhole ? { mark: mark.text, markReadAt: now } : {};
  const isSettled = stored.state !== status || stored.refundId !== id;
  return {
    ...stored,
    ...read,
    refundId: id,
    transactionId,
    ...(isSettled ? { state: status, amount: amount ?? stored.amount } : {}),
  };
}

// A refund that a list once showed without its transaction belongs to the one that a list names. Our own request names its transaction.
function transactionOf({ transactions }: RefundContext, stored: Refund, reading: RefundReading): string {
  const named = transactions.find((transaction) => namesTransaction(reading.transactionId ?? "", transaction));
  if (stored.request !== "" || named === undefined) return stored.transactionId;
  return namesTransaction(stored.transactionId, named) ? stored.transactionId : named.id;
}

// A refund that is being sent may also be made with another amount than was asked for.
function couldBeInDoubt(context: RefundContext, refund: Refund, reading: RefundReading): boolean {
  const anyAmount = { ...reading, wireAmount: undefined };
  return couldBeRefund(context, refund, refund.state === "requested" ? anyAmount : reading);
}

function afterRefunds(payment: Payment, all: Movements): Partial<Payment> {
  if (isFullyReturned(payment, all)) return { state: afterFact(payment.state, "refundDone"), nextCheckAt: null };
  // While money may still be on its way back, nobody may count the payment for its order.
  if (payment.state !== "refunding" || all.refunds.some(hasNoResult)) return {};
  const failed = all.refunds.findLast(({ state }) => state === "failed");
  const finding = payment.finding ?? refundFailedFinding(failed?.amount ?? equationOf(payment, all).available);
  return { state: afterFact(payment.state, "refundFailed"), finding };
}

// A payment without a finding, such as a duplicate, goes under review with the failed refund as its finding.
function refundFailedFinding(amount: Money): Finding {
  return { code: "refund_failed", amount };
}

// The store has recorded a refund that it requested itself, so it is not written again. If the refund fails after the store was
// told that it is pending, or was made after the store was told that it failed, the store must be corrected.
function refundJobs(payment: Payment, known: readonly Refund[], refund: Refund, now: number): NewJob[] {
  const { key, state, origin } = refund;
  const before = known.find((stored) => stored.key === key)?.state;
  if (state !== "completed" && state !== "failed") {
    // Without this job only a single webhook would report the result of a refund from the dashboard.
    const isNew = origin === "service" && before === undefined;
    return isNew ? [jobOf(payment, { kind: "refund", key }, now + limits.refundCheckMs)] : [];
  }
  if (origin !== "store") return [jobOf(payment, { kind: "refund", key }, now)];
  const wasReportedPending = before === "pending" || before === "unknown";
  const noteJob = (about: "refund_failed" | "refund_made") => [jobOf(payment, { kind: "note", about, key }, now)];
  if (state === "failed" && wasReportedPending) return noteJob("refund_failed");
  return state === "completed" && before === "failed" ? noteJob("refund_made") : [];
}

// A payment that returns from `refunding` to `review` may never have been shown to the merchant as held. If a write to the store
// was attempted, the store may show the payment as paid, so a confirm comes before the hold.
function reviewJobs(before: Payment, next: Payment, now: number): NewJob[] {
  if (before.state !== "refunding" || next.state !== "review") return [];
  const wasWritten = next.storeTries > 0;
  const holdAt = wasWritten ? now + limits.reconfirmAfterMs : now;
  const holds = next.finding === null ? [] : [jobOf(next, { kind: "hold", finding: next.finding }, holdAt)];
  return wasWritten ? [signalJob(next, now), ...holds] : holds;
}

const ACTOR_OF_ORIGIN = {
  service: "webhook",
  store: "store",
  tillkit: "operator",
} as const satisfies Record<Refund["origin"], TimelineEntry["actor"]>;

function entryOf({ paymentId, amount, state, origin }: Refund, at: number): TimelineEntry {
  return { paymentId, at, actor: ACTOR_OF_ORIGIN[origin], kind: `refund_${state}`, amount };
}
