import type { PaidTransaction } from "@tillkit/core/ledger";
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
