import type { Equation, Payment } from "@tillkit/core";
import {
  type Change,
  equationOf,
  type LedgerView,
  type Movements,
  type PaymentWithMovements,
} from "@tillkit/core/ledger";
import { sql } from "kysely";
import type { PaymentSums, Session } from "../database/schema.ts";
import { findDisputes } from "../payments/disputes.ts";
import { rowToPayment } from "../payments/payments.ts";
import { findRefunds } from "../payments/refunds.ts";
import { findTransactions } from "../payments/transactions.ts";
import type { Engine } from "./payment-search.ts";

/**
 * Stores what the equation of each payment of a change says after the change, so that figures are sums of equations. The payments
 * are locked, by `lockPayments` or because the change has written them.
 */
export async function writeSumsOf(session: Session, change: Change): Promise<void> {
  const ids = paymentsOfMovements(change);
  const payment = change.payment?.next;
  if (payment && (await mayChangeSums(session, payment))) ids.add(payment.id);
  if (ids.size > 0) await writeSums(session, [...ids]);
}

/** Computes the equations of some payments, and stores those that changed. */
export async function writeSums(session: Session, paymentIds: readonly string[]): Promise<void> {
  for (const { row, movements } of await rowsWithMovements(session, paymentIds)) {
    const sums = sumsOf(equationOf(rowToPayment(row), movements));
    if (SUMS.every((column) => row[column] === sums[column])) continue;
    await session.updateTable("tillkit_payments").set(sums).where("id", "=", row.id).execute();
  }
}

/**
 * Locks the payments of movements on PostgreSQL, where commits run side by side. Of two commits that add a refund and a dispute at the
 * same time, the later one then sees both. The lock comes before the first write, as in a commit that writes its payment.
 */
export async function lockPayments(session: Session, engine: Engine, change: Change): Promise<void> {
  if (engine === "sqlite") return;
  const ids = [...paymentsOfMovements(change)].sort();
  if (ids.length === 0) return;
  await sql`select id from tillkit_payments where id in (${sql.join(ids)}) order by id for update`.execute(session);
}

function paymentsOfMovements({ transactions = [], refunds = [], disputes = [] }: Change): Set<string> {
  return new Set([...transactions, ...refunds, ...disputes].map(({ paymentId }) => paymentId));
}

// Most payments are opened, checked and closed without any money, and these commits read nothing more. A payment that was under review
// may turn out to be unpaid: then it had money before and has none now.
async function mayChangeSums(session: Session, payment: Payment): Promise<boolean> {
  if (equationOf(payment, NO_MOVEMENTS).received.minor > 0) return true;
  if (payment.state === "intent" || payment.state === "open") return false;
  const { sum_received: stored } = await session
    .selectFrom("tillkit_payments")
    .select("sum_received")
    .where("id", "=", payment.id)
    .executeTakeFirstOrThrow();
  return stored !== 0;
}

const SUMS = [
  "sum_currency",
  "sum_received",
  "sum_returned",
  "sum_leaving",
  "sum_disputed",
] as const satisfies readonly (keyof PaymentSums)[];
const NO_MOVEMENTS: Movements = { transactions: [], refunds: [], disputes: [] };

function sumsOf({ received, returned, leaving, disputed }: Equation): PaymentSums {
  return {
    sum_currency: received.currency,
    sum_received: received.minor,
    sum_returned: returned.minor,
    sum_leaving: leaving.minor,
    sum_disputed: disputed.minor,
  };
}

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
async function rowsWithMovements(session: Session, paymentIds: readonly string[]) {
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
