import type { Payment } from "@tillkit/core";
import type { Change, PaidTransaction, ProcessedDelivery, TransactionDetails } from "@tillkit/core/ledger";
import { type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";

export async function findTransactions(
  session: Session,
  paymentIds: readonly string[],
): Promise<readonly PaidTransaction[]> {
  if (paymentIds.length === 0) return [];
  const rows = await session
    .selectFrom("tillkit_transactions")
    .selectAll()
    .where("payment_id", "in", paymentIds)
    .orderBy("sequence")
    .execute();
  return rows.map(rowToTransaction);
}

function rowToTransaction(row: Selectable<LedgerSchema["tillkit_transactions"]>): PaidTransaction {
  return {
    id: row.id,
    code: row.code,
    paymentId: row.payment_id,
    amount: { minor: row.amount_minor, currency: row.amount_currency },
    isRead: row.is_read === 1,
    evidence: row.evidence,
    at: row.at,
  };
}

/** Inserts a transaction, or replaces the stored transaction of the same payment. */
export async function upsertTransaction(session: Session, transaction: PaidTransaction): Promise<void> {
  const { id, paymentId, code, amount, isRead, evidence, at } = transaction;
  const values = {
    code,
    amount_minor: amount.minor,
    amount_currency: amount.currency,
    is_read: isRead ? (1 as const) : (0 as const),
    evidence,
    at,
  };
  await session
    .insertInto("tillkit_transactions")
    .values({
      payment_id: paymentId,
      id,
      position: sql<number>`(select count(*) from tillkit_transactions where payment_id = ${paymentId})`,
      ...values,
    })
    .onConflict((conflict) => conflict.columns(["payment_id", "id"]).doUpdateSet(values))
    .execute();
}

/** The short id at the end of the hosted page's address. Without an address the stored value stays. */
export function columnsOfSession({ session }: Payment): { session_code?: string } {
  const code = /\/(cs_\w+)$/.exec(session?.url ?? "")?.[1];
  return code === undefined ? {} : { session_code: code };
}

/**
 * Stores the transaction of the event beside its payment. Only another success replaces what the event of a success stored. The
 * payment's version stays, because no decision depends on these columns.
 */
export async function recordEventOfPayment(session: Session, { paymentId, event }: ProcessedDelivery): Promise<void> {
  const transaction = event?.transaction;
  if (!event || !transaction || paymentId === null) return;
  const { code, method, customerId, wireFee, wireNet } = transaction;
  const isSuccess = event.name === "PAYMENT_SUCCEEDED";
  const columnsOfSuccess = isSuccess
    ? sql`, wire_fee = coalesce(${wireFee}, wire_fee), wire_net = coalesce(${wireNet}, wire_net),
        succeeded_at = coalesce(succeeded_at, ${event.at})`
    : sql``;
  await sql`update tillkit_payments set transaction_code = coalesce(${code}, transaction_code),
      method = coalesce(${method}, method), customer_id = coalesce(${customerId}, customer_id) ${columnsOfSuccess}
    where id = ${paymentId} ${isSuccess ? sql`` : sql`and succeeded_at is null`}`.execute(session);
}

/** Stores when the payment was first recorded on its order. */
export async function recordTimeOfOrder(session: Session, { timeline }: Pick<Change, "timeline">): Promise<void> {
  for (const { paymentId, kind, at } of timeline) {
    if (kind !== "recorded" || paymentId === null) continue;
    await sql`update tillkit_payments set recorded_at = coalesce(recorded_at, ${at})
      where id = ${paymentId}`.execute(session);
  }
}

export async function findTransactionDetails(session: Session, paymentId: string): Promise<TransactionDetails | null> {
  const row = await session
    .selectFrom("tillkit_payments")
    .select(["transaction_code", "method", "customer_id", "wire_fee", "wire_net", "succeeded_at", "recorded_at"])
    .where("id", "=", paymentId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    transactionCode: row.transaction_code,
    method: row.method,
    customerId: row.customer_id,
    wireFee: row.wire_fee,
    wireNet: row.wire_net,
    succeededAt: row.succeeded_at,
    recordedAt: row.recorded_at,
  };
}
