import { notFound, Refusal } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import type { SessionRow, TransactionRow } from "../storage/tables.ts";
import { attachCustomer, type Payer } from "./customers.ts";
import type { FailureCode, Method, Outcome } from "./methods.ts";
import { offeredMethods } from "./offered-methods.ts";
import { readSession } from "./sessions.ts";
import { cancelPending, completeTransaction, failTransaction, startTransaction } from "./transactions.ts";

export type Attempt = { method: Method; payer: Payer; outcome: Outcome; lastDigits: string | null };

/**
 * One attempt to pay a session: what the hosted page does, and what the control API does in its place.
 * @throws Refusal `conflict` when the session is not open, `bad_request` when the method does not take it
 */
export async function paySession(change: Change, sessionId: string, attempt: Attempt): Promise<TransactionRow> {
  const session = await readSession(change.rows, sessionId);
  await refuseUnlessPayable(session, attempt.method, change);
  const { outcome } = attempt;
  // Whoever starts again gave up what he had begun.
  await cancelPending(change, session.session_id);
  const started = await startTransaction(change, {
    session,
    method: attempt.method,
    customerId: await attachCustomer(change, session, attempt.payer),
    waitsFor: outcome.say === "challenge" ? "challenge" : outcome.say === "pending" ? "approval" : null,
    afterChallenge: outcome.say === "challenge" ? outcome.thenFails : null,
    lastDigits: attempt.lastDigits,
    completesAt: completionTime(change, outcome),
  });
  if (outcome.say === "completed") return completeTransaction(change, started);
  if (outcome.say === "failed") return failTransaction(change, started, outcome.failure);
  return started;
}

/**
 * The customer answered the bank's page.
 * @throws Refusal `conflict` when the transaction waits for no such answer any more
 */
export async function answerChallenge(
  change: Change,
  transaction: TransactionRow,
  approved: boolean,
): Promise<TransactionRow> {
  if (transaction.status !== "pending" || transaction.waits_for !== "challenge") {
    throw new Refusal("conflict", `This payment does not wait for the bank: it is ${transaction.status}`);
  }
  if (!approved) return failTransaction(change, transaction, "authentication_failed");
  const then = transaction.after_challenge as FailureCode | null;
  return then === null ? completeTransaction(change, transaction) : failTransaction(change, transaction, then);
}

/** The newest attempt of a session, or null when nobody tried yet. */
export async function lastAttempt(change: Pick<Change, "rows">, sessionId: string): Promise<TransactionRow | null> {
  const row = await change.rows
    .selectFrom("transactions")
    .selectAll()
    .where("session_id", "=", sessionId)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** @throws Refusal `not_found` */
export async function sessionByCode(change: Pick<Change, "rows">, code: string): Promise<SessionRow> {
  const row = await change.rows.selectFrom("sessions").selectAll().where("code", "=", code).executeTakeFirst();
  if (row === undefined) throw notFound("Checkout session");
  return row;
}

async function refuseUnlessPayable(session: SessionRow, method: Method, change: Change): Promise<void> {
  if (session.status !== "open") throw new Refusal("conflict", `The checkout session is ${session.status}`);
  if (!(await offeredMethods(change.rows, change.service, session)).includes(method)) {
    throw new Refusal(
      "bad_request",
      `The method ${method} is not connected, or does not take this amount in ${session.currency_code}`,
    );
  }
}

function completionTime(change: Change, outcome: Outcome): number | null {
  if (outcome.say !== "pending" || !outcome.completesByItself) return null;
  return change.now + change.service.settings.pendingSeconds * 1000;
}
