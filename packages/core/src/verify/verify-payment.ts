import { CheckoutError } from "../domain/checkout-error.ts";
import { isPaidReading, judge } from "../domain/judge.ts";
import { limits } from "../domain/limits.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { SessionReading } from "../domain/session-reading.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { retryOnConflict } from "../payments/update-payment.ts";
import { openSession } from "../sessions/open-session.ts";
import { readOrderOrUnreadable } from "../stores/call-store.ts";
import { applyVerdict } from "./apply-verdict.ts";
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
  return await retryOnConflict(busyMessage, async () => {
    const verified = await verifyOnce(engine, paymentId, options);
    // A payment that the merchant accepted by marking the order as paid is judged once more, with that waiver.
    return verified?.verdict.status === "accepted" ? null : verified;
  });
}

// Null: another process committed first, or another payment of the order was verified first.
async function verifyOnce(engine: Engine, paymentId: string, options: VerifyOptions): Promise<Verified | null> {
  let payment = await getPayment(engine, paymentId);
  if (payment.state === "intent") payment = await openSession(engine, payment);
  const verdict = await gatherAndJudge(engine, payment, options);
  const change = applyVerdict(engine, payment, verdict, options);
  if (!change) return { verdict, payment };
  const answer = await engine.ledger.commit({ ...(options.fence ? { fence: options.fence } : {}), ...change });
  if (answer === "done") return { verdict, payment: change.payment.next };
  if (answer === "stale" && options.fence) await assertFence(engine, options.fence);
  return null;
}

async function gatherAndJudge(engine: Engine, payment: Payment, options: VerifyOptions): Promise<Verdict> {
  const { ledger, clock } = engine;
  const isEnded = payment.state === "recorded" || payment.state === "refunded" || payment.state === "refunding";
  // While the store does not respond, a reading of the session is useless. Reading the order first saves calls to the service.
  const storeHasFailed = !isEnded && engine.circuitBreakers.hasFailed(`store:${payment.ref.storeId}`);
  const orderFirst = storeHasFailed ? readOrderOrUnreadable(engine, payment) : null;
  if (orderFirst) await orderFirst;
  const session = isEnded || payment.session === null ? {} : readSession(engine, payment, options);
  // While the service does not respond, a reading of the order is useless: an outage of the service must not use up the calls to
  // the store.
  if (engine.circuitBreakers.hasFailed(`credential:${payment.credentialId}`)) await session;
  const [reading, order, all, refunds] = await Promise.all([
    session,
    isEnded ? null : (orderFirst ?? readOrderOrUnreadable(engine, payment)),
    ledger.paymentsOfOrder(payment.ref),
    ledger.refunds(payment.id),
  ]);
  const siblings = all.filter(({ id }) => id !== payment.id);
  return judge({ payment, session: reading, order, siblings, refunds, now: clock.now() });
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
