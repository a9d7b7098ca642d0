import { codeOf } from "../domain/checkout-error.ts";
import { isOfFurtherTransaction, surplusOf } from "../domain/equation.ts";
import { type Finding, sameFinding } from "../domain/finding.ts";
import { exponentialBackoff, type Job, type TaskOf, WRITE_IN_FLIGHT } from "../domain/job.ts";
import { findPaidOutside } from "../domain/known-payer.ts";
import { limits } from "../domain/limits.ts";
import type { Language } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import { safeReason } from "../domain/safe-text.ts";
import { hasFailedAttempt } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { identifyAllTransactions } from "../movements/identify-transaction.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import { signalJob } from "../payments/payment-jobs.ts";
import { externalRefundId } from "../refunds/external-refund.ts";
import { resumeRefund } from "../refunds/refund-payment.ts";
import { isLongInDoubt } from "../refunds/send-refund.ts";
import { syncRefunds } from "../refunds/sync-refunds.ts";
import { hasRuleFailed, refundByRule } from "../reviews/refund-by-rule.ts";
import { readOrderOrUnreadable, writeSettlesAt } from "../stores/call-store.ts";
import { explainDuplicate, explainSurplus, explainSurplusRefund } from "../texts/timeline-texts.ts";
import { addDisputeNote } from "./add-dispute-note.ts";
import { type JobResult, readAgain } from "./job-result.ts";
import { noteUnderLease, writeUnderLease } from "./write-under-lease.ts";

/** Shows the merchant a payment under review, if it is still held for this finding. */
export async function showHold(engine: Engine, payment: Payment, { finding }: TaskOf<"hold">): Promise<JobResult> {
  // The merchant may have decided, or a later reading may have changed the finding.
  const isHeld = (current: Payment) => current.state === "review" && sameFinding(current.finding, finding);
  return await writeUnderLease(engine, payment, "holdForReview", isHeld, (store, { ref, attempt }) =>
    store.holdForReview(ref, attempt, finding),
  );
}

/** Continues a refund in doubt, and writes a final refund to the store unless the store requested it. */
export async function followUpRefund(
  engine: Engine,
  payment: Payment,
  { key }: TaskOf<"refund">,
  { attempts }: Job,
): Promise<JobResult> {
  if (key === null) return await readMovements(engine, payment);
  const resumed = await resumeRefund(engine, payment.id, key);
  if (resumed?.state === "pending") await syncRefunds(engine, payment.id);
  const current = (await engine.ledger.refunds(payment.id)).find((refund) => refund.key === key);
  if (!current) return await awaitReportedRefund(engine, payment, key, attempts);
  const { state, origin } = current;
  if (state !== "completed" && state !== "failed") {
    const backoffMs = exponentialBackoff(limits.refundCheckMs, limits.refundCheckMaxMs, attempts);
    const now = engine.clock.now();
    if (isLongInDoubt(current, now)) return { retryAt: now + limits.refundCheckMs, error: LONG_IN_DOUBT };
    // A refund in doubt is tried again as soon as the backoff of the job allows.
    const waitMs = state === "pending" ? backoffMs : 0;
    return { retryAt: now + waitMs, error: { code: state, message: "The refund has no final result yet." } };
  }
  return origin === "store" ? "done" : await recordRefundInStore(engine, payment, current);
}

// The payment was recovered, or a person has named its transaction: everything that moved is read once.
async function readMovements(engine: Engine, payment: Payment): Promise<JobResult> {
  await identifyAllTransactions(engine, payment);
  await syncRefunds(engine, payment.id);
  return "done";
}

// Operators see a job that keeps failing. The person who looks into it needs the service's dashboard.
const LONG_IN_DOUBT = {
  code: "unknown",
  message: "The service does not show plainly whether it made this refund: look it up in the service's dashboard.",
};

// An event reported this refund, but no list shows it yet: lists lag behind events, or the refund's transaction cannot be read. Money has gone
// back, so it is read from time to time for as long as a payment is; at last the job waits for a person.
async function awaitReportedRefund(
  engine: Engine,
  payment: Payment,
  key: string,
  attempts: number,
): Promise<JobResult> {
  const refundId = externalRefundId(key);
  if (refundId === null) return "done";
  const known = await syncRefunds(engine, payment.id);
  if (known.some((refund) => refund.refundId === refundId)) return "done";
  const message = "The service's list does not show the event's refund yet.";
  // `attempts` also counts failures during an outage. `syncRefunds` throws then.
  const rareReads = attempts - limits.maxUnreadableReads;
  if (rareReads <= 0) return readAgain(engine, message);
  const isStillRead = rareReads <= limits.unreadableMs / limits.unreadableCheckMs;
  const retryAt = isStillRead ? engine.clock.now() + limits.unreadableCheckMs : null;
  return { retryAt, error: { code: "unreadable", message } };
}

/**
 * Writes a final refund to the store now, as its job does: by the only writer of the order, and not while an earlier request may still be in
 * flight. Where that takes longer than `waitMs`, the job goes on.
 */
export async function recordRefundWithin(
  engine: Engine,
  payment: Payment,
  refund: Refund,
  waitMs: number,
): Promise<void> {
  const { clock } = engine;
  const until = clock.now() + waitMs;
  for (;;) {
    const result = await recordRefundInStore(engine, payment, refund);
    const retryAt = typeof result === "object" && "retryAt" in result ? result.retryAt : null;
    if (retryAt === null || retryAt >= until || clock.now() >= until) return;
    await clock.sleep(Math.max(0, retryAt - clock.now()));
  }
}

/** Writes a final refund to the store. A refund of the surplus is only noted on the order, whose own money is still there. */
async function recordRefundInStore(engine: Engine, payment: Payment, refund: Refund): Promise<JobResult> {
  const { refundId, key, state, amount } = refund;
  if (state !== "completed" && state !== "failed") return "done";
  const movements = await gatherMovements(engine.ledger, payment.id);
  if (state === "completed" && isOfFurtherTransaction(payment, movements, refund)) {
    const explain = (language: Language) => explainSurplusRefund(amount, language);
    const note = { key: `surplus-refund:${key}`, explain, stillApplies: () => true };
    return await noteUnderLease(engine, payment, note);
  }
  return await writeUnderLease(
    engine,
    payment,
    "recordRefund",
    () => true,
    async (store, { id: paymentId, ref, attempt }) => {
      await store.recordRefund?.({ paymentId, refundId: refundId ?? "", key, ref, attempt, amount, status: state });
    },
  );
}

/** Adds a note to the order, or shows there what became of a refund after the store was told otherwise. */
export async function addOrderNote(engine: Engine, payment: Payment, task: TaskOf<"note">): Promise<JobResult> {
  if (task.about === "duplicate") return await addDuplicateNote(engine, payment);
  if (task.about === "dispute") return await addDisputeNote(engine, payment, task.key);
  if (task.about === "surplus") return await addSurplusNote(engine, payment, task.key);
  const refund = (await engine.ledger.refunds(payment.id)).find(({ key }) => key === task.key);
  return refund ? await recordRefundInStore(engine, payment, refund) : "done";
}

/** Refunds a held or duplicate payment that the `autoRefund` option covers. */
export async function autoRefund(
  engine: Engine,
  payment: Payment,
  _task: TaskOf<"auto-refund">,
  { attempts }: Job,
): Promise<JobResult> {
  if (payment.state !== "duplicate" && payment.state !== "review") return "done";
  // The money of a dispute goes back by the bank, unless the merchant wins: a person decides.
  if ((await engine.ledger.disputes(payment.id)).length > 0) return "done";
  if (hasRuleFailed(payment, await engine.ledger.refunds(payment.id))) return "done";
  const stillApplies = async () => !(await hasMerchantDecided(engine, payment));
  if (!(await stillApplies())) {
    // The next confirm counts the payment as accepted, or holds it with the new reason.
    await engine.ledger.commit({ jobs: [signalJob(payment, engine.clock.now())], timeline: [] });
    return "done";
  }
  const settlesAt = await otherWriteSettlesAt(engine, payment);
  if (settlesAt !== null) return { retryAt: settlesAt, error: WRITE_IN_FLIGHT };
  try {
    const refund = await refundByRule(engine, payment, stillApplies);
    engine.log.info("refund.automatic", { paymentId: payment.id, state: refund.state });
    return "done";
  } catch (error) {
    if (codeOf(error) !== "transaction_unknown") throw error;
    return awaitNaming(engine, attempts, error);
  }
}

// Each attempt reads every transaction that may have paid, and a person may have to say which one it was.
function awaitNaming({ clock }: Engine, attempts: number, error: unknown): JobResult {
  const waitMs = attempts < limits.maxSuccessReads ? 0 : limits.namingCheckMs;
  return { retryAt: clock.now() + waitMs, error: { code: "transaction_unknown", message: safeReason(error) } };
}

// Another payment is verified and its write to the order is under way. If the store refuses that payment, this one may be the one that
// pays the order.
async function otherWriteSettlesAt(engine: Engine, { id, ref }: Payment): Promise<number | null> {
  const store = await engine.store(ref.storeId);
  const others = (await engine.ledger.paymentsOfOrder(ref)).filter((other) => other.id !== id);
  const times = others.map((other) => (other.state === "verified" ? writeSettlesAt(store, other) : null));
  const latest = Math.max(0, ...times.map((at) => at ?? 0));
  return latest > engine.clock.now() ? latest : null;
}

// The merchant may have marked the order as paid or reopened it since the verdict. Then no automatic refund is made.
async function hasMerchantDecided(engine: Engine, payment: Payment): Promise<boolean> {
  const order = await readOrderOrUnreadable(engine, payment);
  if (order === null || order === "unreadable") return false;
  // A store may refuse one payment while its order stays payable. Only without its reason was the order itself closed.
  const { finding } = payment;
  const isReopened = finding?.code === "order_not_payable" && finding.why === null && order.payable;
  return isReopened || findPaidOutside(order) !== null;
}

/** Tells the platform that an attempt has failed, once all payments of the attempt are closed without money. */
export async function markRefused(engine: Engine, payment: Payment): Promise<JobResult> {
  const store = await engine.store(payment.ref.storeId);
  if (!store.markRefused) return "done";
  const paymentsOfOrder = await engine.ledger.paymentsOfOrder(payment.ref);
  const paymentsOfAttempt = paymentsOfOrder.filter(({ attempt }) => attempt === payment.attempt);
  if (paymentsOfAttempt.some(({ state }) => state !== "closed")) return "done";
  const isClosed = (current: Payment) => current.state === "closed";
  return await writeUnderLease(engine, payment, "markRefused", isClosed, async (_store, { ref, attempt }) => {
    await store.markRefused?.(ref, attempt, NOT_PAID);
  });
}

const NOT_PAID: Finding = { code: "not_paid" };

async function addDuplicateNote(engine: Engine, payment: Payment): Promise<JobResult> {
  // After a refund, or when the payment counts after all, a note that asks for a refund would be wrong.
  const isDuplicate = ({ state }: Payment) => state === "duplicate";
  if (!isDuplicate(payment)) return "done";
  const explain = (language: Language) => explainDuplicate(payment, language);
  return await noteUnderLease(engine, payment, { key: `duplicate:${payment.id}`, explain, stillApplies: isDuplicate });
}

/** Says on the order that its payment page received a further transaction, while the money of that one is still there. */
async function addSurplusNote(engine: Engine, payment: Payment, key: string): Promise<JobResult> {
  const find = async (current: Payment) =>
    surplusOf(current, await gatherMovements(engine.ledger, current.id)).find((sum) => sum.transactionId === key);
  const surplus = await find(payment);
  if (!surplus) return "done";
  const explain = (language: Language) => explainSurplus(surplus.received, language);
  const stillApplies = async (current: Payment) => (await find(current)) !== undefined;
  return await noteUnderLease(engine, payment, { key: `surplus:${key}`, explain, stillApplies });
}

/** Tells the platform that an attempt is pending: it has neither succeeded nor failed yet. */
export async function markPending(engine: Engine, payment: Payment, task: TaskOf<"pending">): Promise<JobResult> {
  const store = await engine.store(payment.ref.storeId);
  if (!store.markPending) return "done";
  const isPending = async ({ state, id }: Payment) =>
    state === "open" && !hasFailedAttempt(await engine.ledger.timeline({ paymentId: id }), task.transactionId);
  // Most attempts have ended by now: they need no lease.
  if (!(await isPending(payment))) return "done";
  // A wallet payment may be confirmed after the session has expired, so the platform waits as long as the engine does.
  const until = (payment.session?.expiresAt ?? engine.clock.now()) + limits.graceMs;
  return await writeUnderLease(engine, payment, "markPending", isPending, async (_store, { ref, attempt }) =>
    store.markPending?.(ref, attempt, until),
  );
}
