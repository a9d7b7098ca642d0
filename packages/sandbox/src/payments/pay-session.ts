import { attachCustomer, type Payer } from "../customers/attach-customer.ts";
import { ApiError, conflict, notFound } from "../domain/api-error.ts";
import type { FailureCode, PaymentMethod, PaymentOutcome } from "../domain/payment-methods.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SessionRow, TransactionRow } from "../storage/payment-tables.ts";
import { offeredMethods } from "./offered-methods.ts";
import { cancelPendingAttempts, completeTransaction, failTransaction } from "./payment-outcomes.ts";
import { readSession } from "./sessions.ts";
import { startTransaction } from "./transactions.ts";

export type PaymentAttempt = {
  method: PaymentMethod;
  payer: Payer;
  outcome: PaymentOutcome;
  lastDigits: string | null;
  /** A completed session may be paid once more. The control API asks for it; the hosted page never does. */
  again?: boolean;
};

/**
 * Makes one payment attempt for a session. The hosted page and the control API call it.
 * @throws ApiError `conflict` when the session cannot be paid, `bad_request` when the method is not offered
 */
export async function paySession(
  context: WriteContext,
  sessionId: string,
  attempt: PaymentAttempt,
): Promise<TransactionRow> {
  const session = await readSession(context.database, sessionId);
  await assertPayable(session, attempt, context);
  const { outcome } = attempt;
  // A new attempt means that the shopper abandoned the previous one.
  await cancelPendingAttempts(context, session.session_id);
  const started = await startTransaction(context, {
    session,
    method: attempt.method,
    customerId: await attachCustomer(context, session, attempt.payer),
    awaits: awaitedStep(outcome),
    failureAfterChallenge: outcome.status === "challenge" ? outcome.failureAfterChallenge : null,
    lastDigits: attempt.lastDigits,
    completesAt: completionTime(context, outcome),
  });
  if (outcome.status === "completed") return completeTransaction(context, started);
  if (outcome.status === "failed") return failTransaction(context, started, outcome.failure);
  return started;
}

/**
 * Handles the answer of the cardholder on the page of the bank.
 * @throws ApiError `conflict` when the transaction no longer awaits this answer
 */
export async function answerChallenge(
  context: WriteContext,
  transaction: TransactionRow,
  { isApproved }: { isApproved: boolean },
): Promise<TransactionRow> {
  if (transaction.status !== "pending" || transaction.awaits !== "challenge") {
    const { transaction_id, status } = transaction;
    throw conflict(`The payment does not await a challenge: it is ${status}`, { transaction_id, status });
  }
  if (!isApproved) return failTransaction(context, transaction, "authentication_failed");
  const failure = transaction.failure_after_challenge as FailureCode | null;
  return failure === null ? completeTransaction(context, transaction) : failTransaction(context, transaction, failure);
}

/** The newest attempt of a session. Null before the first attempt. */
export async function readLastAttempt(
  context: Pick<WriteContext, "database">,
  sessionId: string,
): Promise<TransactionRow | null> {
  const row = await context.database
    .selectFrom("transactions")
    .selectAll()
    .where("session_id", "=", sessionId)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** @throws ApiError `not_found` */
export async function readSessionByCode(context: Pick<WriteContext, "database">, code: string): Promise<SessionRow> {
  const row = await context.database.selectFrom("sessions").selectAll().where("code", "=", code).executeTakeFirst();
  if (row === undefined) throw notFound("Checkout session");
  return row;
}

async function assertPayable(
  session: SessionRow,
  { method, again = false }: PaymentAttempt,
  context: WriteContext,
): Promise<void> {
  const { session_id: checkout_session_id, status, transaction_id } = session;
  if (status !== (again ? "completed" : "open")) {
    throw conflict(`The checkout session is ${status}`, { checkout_session_id, status, transaction_id });
  }
  if (!(await offeredMethods(context.database, context.service, session)).includes(method)) {
    throw new ApiError(
      "bad_request",
      `The method ${method} is not connected, or does not take this amount in ${session.currency_code}`,
    );
  }
}

/** What the shopper must do before the payment ends. Null when the payment ends at once. */
function awaitedStep({ status }: PaymentOutcome): TransactionRow["awaits"] {
  if (status === "challenge") return "challenge";
  return status === "pending" ? "approval" : null;
}

function completionTime(context: WriteContext, outcome: PaymentOutcome): number | null {
  if (outcome.status !== "pending" || !outcome.completesAutomatically) return null;
  return context.now + context.service.settings.pendingSeconds * 1000;
}
