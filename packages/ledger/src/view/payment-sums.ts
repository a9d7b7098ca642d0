import type { Equation, Payment } from "@tillkit/core";
import { type Change, equationOf, type Movements } from "@tillkit/core/ledger";
import { sql } from "kysely";
import type { PaymentSums, Session } from "../database/schema.ts";
import { rowToPayment } from "../payments/payment-row.ts";
import { rowsWithMovements } from "./movement-lists.ts";
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
