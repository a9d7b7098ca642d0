import { creditPayment } from "../balances/balances.ts";
import { conflict } from "../domain/api-error.ts";
import { calculateFee } from "../domain/fees.ts";
import { type FailureCode, failureMessages } from "../domain/payment-methods.ts";
import { recordOperatorFee } from "../network/operator-fees.ts";
import type { WriteContext } from "../runtime/service.ts";
import { recordVersion } from "../runtime/stale-reads.ts";
import type { TransactionRow, TransactionStatus } from "../storage/payment-tables.ts";
import { emitPaymentEvent } from "./payment-events.ts";
import { readSession } from "./sessions.ts";
import { updateTransaction } from "./transactions.ts";

/**
 * pending → completed, and expired → completed, because a late success wins over expiry. Also completes the session and
 * cancels its other pending attempts, so that no shopper pays twice. A session that is completed already keeps its transaction.
 * @throws ApiError `conflict`
 */
export async function completeTransaction(context: WriteContext, transaction: TransactionRow): Promise<TransactionRow> {
  assertStatus(transaction, ["pending", "held", "expired"], "completed");
  const fee = calculateFee(transaction.gross_amount, context.service.settings.feeBps);
  const completed = await transition(context, transaction, {
    status: "completed",
    fee_amount: fee,
    net_amount: transaction.gross_amount - fee,
  });
  if (completed.session_id !== null) await completeSession(context, completed.session_id, completed);
  await creditPayment(context, completed);
  await recordOperatorFee(context, completed);
  await emitPaymentEvent(context, "PAYMENT_SUCCEEDED", completed);
  return completed;
}

/**
 * pending → failed. The session stays open for another attempt.
 * @throws ApiError `conflict`
 */
export async function failTransaction(
  context: WriteContext,
  transaction: TransactionRow,
  failure: FailureCode,
): Promise<TransactionRow> {
  assertStatus(transaction, ["pending", "held"], "failed");
  const failed = await transition(context, transaction, {
    status: "failed",
    failure_code: failure,
    failure_message: failureMessages[failure],
  });
  await emitPaymentEvent(context, "PAYMENT_FAILED", failed);
  return failed;
}

/** Expires an open session with its pending transactions. The service has no event for this. */
export async function expireSession(context: WriteContext, sessionId: string): Promise<void> {
  await recordSessionVersion(context, sessionId);
  const expired = await context.database
    .updateTable("sessions")
    .set((eb) => ({
      status: "expired",
      expires_at: eb.fn<number>("min", [eb.ref("expires_at"), eb.val(context.now)]),
      updated_at: context.now,
    }))
    .where("session_id", "=", sessionId)
    .where("status", "=", "open")
    .executeTakeFirst();
  if (expired.numUpdatedRows > 0n) await endPendingAttempts(context, sessionId, "expired");
}

/** Cancels the pending attempts of a session before a new attempt: the shopper may have left the page of the bank. */
export async function cancelPendingAttempts(context: WriteContext, sessionId: string): Promise<void> {
  await endPendingAttempts(context, sessionId, "cancelled");
}

async function completeSession(context: WriteContext, sessionId: string, transaction: TransactionRow): Promise<void> {
  await recordSessionVersion(context, sessionId);
  await context.database
    .updateTable("sessions")
    .set({
      status: "completed",
      transaction_id: transaction.transaction_id,
      customer_id: transaction.customer_id,
      updated_at: context.now,
    })
    .where("session_id", "=", sessionId)
    .where("status", "!=", "completed")
    .execute();
  await endPendingAttempts(context, sessionId, "cancelled");
}

async function transition(
  context: WriteContext,
  transaction: TransactionRow,
  to: Partial<TransactionRow>,
): Promise<TransactionRow> {
  recordVersion(context, context.service.rowHistory.transactions, transaction.transaction_id, transaction);
  const update: Partial<TransactionRow> = {
    ...to,
    awaits: null,
    failure_after_challenge: null,
    completes_at: null,
    updated_at: context.now,
  };
  return await updateTransaction(context, transaction, update);
}

async function recordSessionVersion(context: WriteContext, sessionId: string): Promise<void> {
  const { database, service } = context;
  if (service.settings.staleReadsMs === 0) return;
  recordVersion(context, service.rowHistory.sessions, sessionId, await readSession(database, sessionId));
}

async function endPendingAttempts(
  context: WriteContext,
  sessionId: string,
  status: "expired" | "cancelled",
): Promise<void> {
  const { database, service, now } = context;
  if (service.settings.staleReadsMs > 0) {
    const pending = await database
      .selectFrom("transactions")
      .selectAll()
      .where("session_id", "=", sessionId)
      .where("status", "=", "pending")
      .execute();
    for (const row of pending) recordVersion(context, service.rowHistory.transactions, row.transaction_id, row);
  }
  await database
    .updateTable("transactions")
    .set({ status, completes_at: null, updated_at: now })
    .where("session_id", "=", sessionId)
    .where("status", "=", "pending")
    .execute();
}

function assertStatus(
  { transaction_id, status }: TransactionRow,
  from: readonly TransactionStatus[],
  to: string,
): void {
  if (from.includes(status)) return;
  throw conflict(`A transaction that is ${status} cannot become ${to}`, { transaction_id, status });
}
