import { CheckoutError, codeOf } from "../domain/checkout-error.ts";
import { equationOf } from "../domain/equation.ts";
import { isPaidReading, judge } from "../domain/judge.ts";
import { limits } from "../domain/limits.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { SessionReading } from "../domain/session-reading.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { Engine } from "../engine.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import { shownRefundJobs, unmatchedDeliveryJobs } from "../payments/payment-jobs.ts";
import { readTransaction } from "../payments/read-provider.ts";
import { getPayment, retryOnConflict } from "../payments/stored-payment.ts";
import { syncRefunds } from "../refunds/sync-refunds.ts";
import { openSession } from "../sessions/open-session.ts";
import { hasStoreFailed, readOrderOrUnreadable, writeSettlesAt as settlingTime } from "../stores/call-store.ts";
import { applyVerdict, type Reported } from "./apply-verdict.ts";
import type { Verified, VerifyOptions } from "./verify-options.ts";

/**
 * Reads the session, judges the payment and records the verdict. It takes no lock and writes to no store: a platform that asks
 * for authorization (Medusa) holds its own locks around this call, so this call must not wait for another lock.
 *
 * @throws CheckoutError `payment_not_found`, `service_unavailable` (nothing changed: try again)
 */
export async function verifyPayment(engine: Engine, paymentId: string): Promise<Verdict> {
  const { verdict } = await verifyAndRecord(engine, paymentId, {
    actor: "store",
    deadlineMs: limits.serviceCallMs,
    maxAgeMs: 0,
    confirmAfterMs: limits.platformFinishesMs,
  });
  return verdict;
}

/** Like `verifyPayment`, with options. Also returns the payment after the verdict was recorded. */
export async function verifyAndRecord(engine: Engine, paymentId: string, options: VerifyOptions): Promise<Verified> {
  const busyMessage = "Other processes are confirming this payment: try again in a moment.";
  let wasLate = false;
  return await retryOnConflict(busyMessage, async () => {
    const before = await getPayment(engine, paymentId);
    wasLate ||= isLate(engine, before);
    const verified = await verifyOnce(engine, before, options);
    // A payment that the merchant accepted by marking the order as paid is judged once more, with that waiver.
    if (verified?.verdict.status === "accepted") return null;
    const isPaidLate = wasLate && verified?.verdict.status === "paid";
    // The payment is judged once more with the refunds that were found.
    return isPaidLate && (await findsRefunds(engine, verified.payment)) ? null : verified;
  });
}

// Whether the money may have gone back before its order is marked paid: the payment is old, its ledger was restored from a backup, or
// its store did not respond for a while.
function isLate(engine: Engine, payment: Payment): boolean {
  const isOld = engine.clock.now() >= payment.createdAt + limits.refundsReadAfterMs;
  return isOld || isRecovered(payment) || hasStoreFailed(engine, payment);
}

// The request that opened a session is lost with the ledger, or the address of its page where only the intent was kept.
function isRecovered({ request, session }: Payment): boolean {
  return request === "" || session?.url === "";
}

// Whether the service shows refunds that the ledger did not know. A session stays completed after a refund.
async function findsRefunds(engine: Engine, payment: Payment): Promise<boolean> {
  // A transaction without a known id must be searched for. After an outage that would use up the calls that other payments need.
  if (payment.transactionId === null && !isRecovered(payment)) return false;
  try {
    if (await hasNoRefund(engine, payment)) return false;
    const returnedBefore = await amountReturned(engine, payment);
    await syncRefunds(engine, payment.id);
    return (await amountReturned(engine, payment)) !== returnedBefore;
  } catch (error) {
    // During an outage the job tries again. A list that can never be read must not keep the order unpaid, and a used-up budget of
    // calls must not delay the payments that wait for it.
    const code = isRateLimited(error) ? "rate_limit_exceeded" : codeOf(error);
    if (code === "service_unavailable") throw error;
    engine.log.warn("refunds.unreadable", { paymentId: payment.id, code });
    return false;
  }
}

async function amountReturned(engine: Engine, payment: Payment): Promise<number> {
  return equationOf(payment, await gatherMovements(engine.ledger, payment.id)).returned.minor;
}

// Null: another process committed first, or another payment of the order was verified first.
async function verifyOnce(engine: Engine, before: Payment, options: VerifyOptions): Promise<Verified | null> {
  const payment = before.state === "intent" ? await openSession(engine, before) : before;
  const { verdict, ...named } = await gatherAndJudge(engine, payment, options);
  const change = applyVerdict(engine, payment, verdict, options, named);
  if (!change) return { verdict, payment };
  const refunds = verdict.status === "recorded" ? await engine.ledger.refunds(payment.id) : [];
  const jobs = [
    ...(change.jobs ?? []),
    ...shownRefundJobs(payment, refunds, engine.clock.now()),
    ...(await unmatchedDeliveryJobs(engine, named.movements.transactions, change.transactions ?? [])),
  ];
  const answer = await engine.ledger.commit({ ...(options.fence ? { fence: options.fence } : {}), ...change, jobs });
  if (answer === "done") return { verdict, payment: change.payment.next };
  if (answer === "stale" && options.fence) await assertFence(engine, options.fence);
  return null;
}

async function gatherAndJudge(
  engine: Engine,
  payment: Payment,
  options: VerifyOptions,
): Promise<Reported & { readonly verdict: Verdict }> {
  const { ledger, clock } = engine;
  const readAt = clock.now();
  const isEnded = payment.state === "recorded" || payment.state === "refunded" || payment.state === "refunding";
  // While the store does not respond, a reading of the session is useless. Reading the order first saves calls to the service.
  const storeHasFailed = !isEnded && hasStoreFailed(engine, payment);
  const orderFirst = storeHasFailed ? readOrderOrUnreadable(engine, payment) : null;
  if (orderFirst) await orderFirst;
  const session: SessionReading | Promise<SessionReading> =
    isEnded || payment.session === null ? {} : readSession(engine, payment, options);
  // While the service does not respond, a reading of the order is useless: an outage of the service must not use up the calls to
  // the store.
  if (engine.circuitBreakers.hasFailed(`credential:${payment.credentialId}`)) await session;
  const [reading, order, all, movements] = await Promise.all([
    session,
    isEnded ? null : (orderFirst ?? readOrderOrUnreadable(engine, payment)),
    ledger.paymentsOfOrder(payment.ref),
    gatherMovements(ledger, payment.id),
  ]);
  const siblings = all.filter(({ id }) => id !== payment.id);
  const settlesAt =
    payment.storeWriteAt === null ? null : settlingTime(await engine.store(payment.ref.storeId), payment);
  const now = clock.now();
  // A reading that began before our write had settled may be older than the write, however long this process slept since.
  const isEarly = settlesAt !== null && readAt < settlesAt;
  const writeSettlesAt = isEarly ? Math.max(settlesAt, now + 1) : settlesAt;
  const verdict = judge({ payment, session: reading, order, siblings, movements, writeSettlesAt, now });
  return { verdict, reported: reading.transactionId, movements };
}

function isRateLimited(error: unknown): boolean {
  return error instanceof Error && codeOf(error.cause) === "rate_limit_exceeded";
}

// One call for nearly every payment: after an outage of an hour, the budget of a live key is needed for the payments themselves.
async function hasNoRefund(engine: Engine, payment: Payment): Promise<boolean> {
  const { transactionId } = payment;
  if (transactionId === null) return false;
  const transaction = await readTransaction(engine, payment, { id: transactionId, maxAgeMs: 0 });
  return transaction?.status === "completed" && transaction.refundedAmount === 0;
}

async function readSession(engine: Engine, payment: Payment, options: VerifyOptions): Promise<SessionReading> {
  const fetchSession = async () => {
    const service = await engine.tenants.service(payment.credentialId);
    return await service.readSession(payment, options.deadlineMs);
  };
  if (payment.state === "verified" && payment.storeTries > 0) {
    // A completed session stays completed, so its reading is kept while the store cannot be written: an outage of the store must
    // not use up the calls to the service.
    const known = await engine.sessionCache.read(payment.id, limits.verifiedReadingMaxAgeMs, fetchSession);
    if (isPaidReading(payment, known)) return known;
  }
  return await engine.sessionCache.read(payment.id, options.maxAgeMs, fetchSession);
}

async function assertFence(engine: Engine, fence: { ref: OrderRef; value: number }): Promise<void> {
  const isHolder = await engine.ledger.renewOrder(fence.ref, fence.value, engine.clock.now(), limits.orderLeaseMs);
  if (isHolder) return;
  throw new CheckoutError("ledger_busy", "Another worker took over this order: try again in a moment.", {
    retryable: true,
  });
}
