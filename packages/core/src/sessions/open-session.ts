import { CheckoutError, codeOf } from "../domain/checkout-error.ts";
import { keySendBy, limits, nextCheck } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import { safeReason } from "../domain/safe-text.ts";
import type { EntryFacts } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { checkJob } from "../payments/payment-jobs.ts";
import { updatePayment } from "../payments/stored-payment.ts";
import { adoptSession } from "./adopt-session.ts";
import { withoutCustomer } from "./session-request.ts";

/**
 * Opens the session of an intent with the stored POST, byte for byte, under the payment's id as Idempotency-Key. A repeated call,
 * such as after a crash between the POST and the commit of its response, leads to the same session.
 *
 * @param intent a payment in state `intent`: it is stored, and its session is not opened yet
 * @returns the current payment: `open`, or `closed` when the key is too old to repeat the POST
 * @throws CheckoutError `session_refused` (the service refused the session, and the payment is closed), `service_unavailable`
 *   (the payment stays in state `intent`)
 */
export async function openSession(engine: Engine, intent: Payment): Promise<Payment> {
  const now = engine.clock.now();
  // Nobody knows how old a key is that a clock ahead has dated in the future.
  const isOfFuture = intent.createdAt > now + limits.clockSkewMs;
  if (isOfFuture) {
    const old = await recordAsOld(engine, intent, now);
    return old.state === "intent" ? await openSession(engine, old) : old;
  }
  if (now >= intent.createdAt + limits.keyLifeMs) {
    const lostSession = await findLostSession(engine, intent);
    if (lostSession !== null) return await adoptSession(engine, intent, lostSession, "timer");
    // Closes the intent with the same fact as a session whose grace period is over.
    const closed = { state: afterFact(intent.state, "graceOver"), nextCheckAt: null };
    return await recordTransition(engine, intent, closed, { kind: "closed" });
  }
  const service = await engine.tenants.service(intent.credentialId);
  try {
    const session = await service.openSession({
      request: intent.request,
      key: intent.id,
      account: intent.account,
      deadlineMs: limits.shopperCallMs,
      // A process may sleep between the check above and its request.
      sendBy: keySendBy(intent.createdAt, engine.clock.now()),
    });
    const opened = { ...intent, session, state: afterFact(intent.state, "opened") };
    // A clock that is days ahead takes the new session for one whose last read is over.
    const nextCheckAt = nextCheck(opened, now) ?? now + limits.maxCheckGapMs;
    return await recordTransition(engine, intent, { session, state: opened.state, nextCheckAt }, { kind: "opened" });
  } catch (error) {
    if (codeOf(error) !== "session_refused") throw error;
    const refused = { state: afterFact(intent.state, "refused"), nextCheckAt: null };
    await recordTransition(engine, intent, refused, { kind: "refused", reason: safeReason(error) });
    throw error;
  }
}

// Stored, because the future comes: hours later the intent would look as fresh as a key may be.
async function recordAsOld(engine: Engine, intent: Payment, now: number): Promise<Payment> {
  const createdAt = now - limits.keyLifeMs;
  const { status, payment } = await updatePayment(engine, intent.id, (current) =>
    current.state === "intent" && current.createdAt > now ? { change: { createdAt } } : null,
  );
  if (status === "conflict") throw busyError();
  return payment;
}

/**
 * A ledger that was restored to between the commit of the intent and that of its session does not know the session. Money that arrived
 * there names it with our reference (GET /transactions).
 */
async function findLostSession(
  engine: Engine,
  { credentialId, account, createdAt, reference }: Payment,
): Promise<string | null> {
  const service = await engine.tenants.service(credentialId);
  const from = Math.min(createdAt - limits.clockSkewMs, engine.clock.now() - limits.keyLifeMs);
  const range = { from, until: createdAt + limits.keyLifeMs + limits.graceMs };
  let scanned = 0;
  for await (const row of service.listTransactions({ ...range, account, deadlineMs: limits.serviceCallMs })) {
    if (row.reference === reference && row.sessionId !== undefined) return row.sessionId;
    scanned += 1;
    if (scanned >= limits.maxTransactionsScanned) break;
  }
  return null;
}

// Another process may count a read of the intent meanwhile. The session that the service opened is recorded all the same.
async function recordTransition(
  engine: Engine,
  intent: Payment,
  change: Pick<Payment, "state" | "nextCheckAt"> & Partial<Pick<Payment, "session">>,
  facts: EntryFacts,
): Promise<Payment> {
  const at = engine.clock.now();
  const { status, payment } = await updatePayment(engine, intent.id, (current) => {
    if (current.state !== intent.state) return null;
    return {
      // After this commit the POST is never repeated, so the customer's name, e-mail and phone are removed from it.
      change: { ...change, request: withoutCustomer(current.request) },
      jobs: checkJob({ ...current, ...change }),
      timeline: [{ paymentId: current.id, at, actor: "shopper", ...facts }],
    };
  });
  if (status === "conflict") throw busyError();
  if (status !== "taken") return payment;
  throw new CheckoutError("session_unusable", "The service returned a session that belongs to another payment.");
}

function busyError(): CheckoutError {
  return new CheckoutError("ledger_busy", "Other processes are changing this payment: try again.", { retryable: true });
}
