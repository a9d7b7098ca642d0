import type { LedgerView, PaymentWithMovements } from "@tillkit/core/ledger";
import { sql } from "kysely";
import type { Session } from "../database/schema.ts";
import { findDisputes } from "../payments/disputes.ts";
import { rowToPayment } from "../payments/payment-row.ts";
import { findRefunds } from "../payments/refunds.ts";
import { findTransactions } from "../payments/transactions.ts";

export async function paymentsWithMovements(
  session: Session,
  paymentIds: readonly string[],
): Promise<readonly PaymentWithMovements[]> {
  return (await rowsWithMovements(session, paymentIds)).map(({ row, movements }) => ({
    payment: rowToPayment(row),
    movements,
  }));
}

/** The rows of these payments with their movements, in the order of the ids. */
export async function rowsWithMovements(session: Session, paymentIds: readonly string[]) {
  const rows = await findRows(session, paymentIds);
  // Most payments are neither refunded nor disputed, and every commit that moves money reads them.
  const [transactions, refunds, disputes] = await Promise.all([
    findTransactions(session, paymentIds).then(byPayment),
    findRefunds(session, idsWhere(rows, "is_refunded")).then(byPayment),
    findDisputes(session, idsWhere(rows, "is_disputed")).then(byPayment),
  ]);
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return paymentIds.flatMap((id) => {
    const row = rowOf.get(id);
    if (row === undefined) return [];
    const movements = {
      transactions: transactions.get(id) ?? [],
      refunds: refunds.get(id) ?? [],
      disputes: disputes.get(id) ?? [],
    };
    return [{ row, movements }];
  });
}

// The index contains only further transactions, which are rare.
export async function paymentsOfSeveralTransactions(
  session: Session,
  { limit }: Parameters<LedgerView["paymentsOfSeveralTransactions"]>[0],
): Promise<readonly string[]> {
  const { rows } = await sql<{ payment_id: string }>`select payment_id from tillkit_transactions
    where position > 0 group by payment_id order by max(sequence) desc limit ${limit}`.execute(session);
  return rows.map(({ payment_id }) => payment_id);
}

async function findRows(session: Session, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const isIn = (table: "tillkit_refunds" | "tillkit_disputes") =>
    sql<boolean | 0 | 1>`exists (select 1 from ${sql.table(table)} where payment_id = tillkit_payments.id)`;
  return await session
    .selectFrom("tillkit_payments")
    .selectAll()
    .select([isIn("tillkit_refunds").as("is_refunded"), isIn("tillkit_disputes").as("is_disputed")])
    .where("id", "in", ids)
    .execute();
}

function idsWhere<Column extends string>(
  rows: readonly ({ readonly id: string } & Readonly<Record<Column, boolean | 0 | 1>>)[],
  column: Column,
): readonly string[] {
  return rows.filter((row) => row[column]).map(({ id }) => id);
}

function byPayment<Movement extends { readonly paymentId: string }>(
  movements: readonly Movement[],
): ReadonlyMap<string, readonly Movement[]> {
  const groups = new Map<string, Movement[]>();
  for (const movement of movements)
    groups.set(movement.paymentId, [...(groups.get(movement.paymentId) ?? []), movement]);
  return groups;
}
