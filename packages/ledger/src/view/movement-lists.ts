import type { LedgerView, PaymentWithMovements } from "@tillkit/core/ledger";
import { sql } from "kysely";
import type { Session } from "../database/schema.ts";
import { rowToDispute } from "../payments/disputes.ts";
import { rowToPayment } from "../payments/payment-row.ts";
import { rowToRefund } from "../payments/refunds.ts";
import { rowToTransaction } from "../payments/transactions.ts";

export async function paymentsWithMovements(
  session: Session,
  paymentIds: readonly string[],
): Promise<readonly PaymentWithMovements[]> {
  if (paymentIds.length === 0) return [];
  const [payments, transactions, refunds, disputes] = await Promise.all([
    session.selectFrom("tillkit_payments").selectAll().where("id", "in", paymentIds).execute(),
    session
      .selectFrom("tillkit_transactions")
      .selectAll()
      .where("payment_id", "in", paymentIds)
      .orderBy("sequence")
      .execute(),
    session
      .selectFrom("tillkit_refunds")
      .selectAll()
      .where("payment_id", "in", paymentIds)
      .orderBy("sequence")
      .execute(),
    session
      .selectFrom("tillkit_disputes")
      .selectAll()
      .where("payment_id", "in", paymentIds)
      .orderBy("sequence")
      .execute(),
  ]);
  const rowOf = new Map(payments.map((row) => [row.id, row]));
  const transactionsOf = byPayment(transactions);
  const refundsOf = byPayment(refunds);
  const disputesOf = byPayment(disputes);
  return paymentIds.flatMap((id) => {
    const row = rowOf.get(id);
    if (row === undefined) return [];
    const movements = {
      transactions: (transactionsOf.get(id) ?? []).map(rowToTransaction),
      refunds: (refundsOf.get(id) ?? []).map(rowToRefund),
      disputes: (disputesOf.get(id) ?? []).map(rowToDispute),
    };
    return [{ payment: rowToPayment(row), movements }];
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

function byPayment<Row extends { readonly payment_id: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.payment_id, [...(groups.get(row.payment_id) ?? []), row]);
  return groups;
}
