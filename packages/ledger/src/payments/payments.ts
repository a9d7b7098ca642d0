import type { OrderRef, Payment } from "@tillkit/core";
import { type Change, type PaymentKey, readFinding, type Waiver } from "@tillkit/core/ledger";
import { isUniqueViolation } from "@tillkit/sql";
import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import { RejectedChange } from "../database/rejected-change.ts";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { columnsOfSession } from "./transactions.ts";

export async function findPayment(session: Session, by: PaymentKey): Promise<Payment | null> {
  const row = await session
    .selectFrom("tillkit_payments")
    .selectAll()
    .where(keyMatches(by))
    .orderBy("created_at", "desc")
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : rowToPayment(row);
}

export async function findPaymentsOfOrder(session: Session, ref: OrderRef): Promise<readonly Payment[]> {
  const rows = await session
    .selectFrom("tillkit_payments")
    .selectAll()
    .where("store_id", "=", ref.storeId)
    .where("order_id", "=", ref.orderId)
    .orderBy("created_at")
    .orderBy("sequence")
    .execute();
  return rows.map(rowToPayment);
}

export async function findOpenPayments(
  session: Session,
  credentialId: string,
  limit: number,
): Promise<readonly Payment[]> {
  const rows = await session
    .selectFrom("tillkit_payments")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .where(sql<boolean>`state in ('intent', 'open', 'superseded', 'expired')`)
    .orderBy("created_at", "desc")
    .orderBy("sequence", "desc")
    .limit(limit)
    .execute();
  return rows.map(rowToPayment);
}

/**
 * Inserts a new payment, or updates the stored payment if it still has the expected version.
 * @throws RejectedChange `stale` or `taken`; RangeError when `next.version` does not follow `expect`
 */
export async function writePayment(session: Session, { next, expect }: NonNullable<Change["payment"]>): Promise<void> {
  const nextVersion = expect === "new" ? 1 : expect + 1;
  if (next.version !== nextVersion) {
    throw new RangeError(`The version of payment ${next.id} must be one higher than the expected version.`);
  }
  try {
    if (expect === "new") await insertPayment(session, next);
    else await updatePayment(session, next, expect);
  } catch (error) {
    throw isUniqueViolation(error) ? new RejectedChange("taken") : error;
  }
}

async function insertPayment(session: Session, payment: Payment): Promise<void> {
  const { numInsertedOrUpdatedRows } = await session
    .insertInto("tillkit_payments")
    .values({ ...paymentToRow(payment), ...columnsOfSession(payment), sum_currency: payment.amountDue.currency })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new RejectedChange("stale");
}

async function updatePayment(session: Session, payment: Payment, expect: number): Promise<void> {
  const { numUpdatedRows } = await session
    .updateTable("tillkit_payments")
    .set({ ...paymentToRow(payment), ...columnsOfSession(payment) })
    .where("id", "=", payment.id)
    .where("version", "=", expect)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new RejectedChange("stale");
}

// A tilde sorts after everything that an id consists of, so the range reads the index of the ids.
function idBeginsWith(prefix: string): RawBuilder<boolean> {
  return sql`id >= ${prefix} and id < ${`${prefix}~`}`;
}

// The conditions of partial indexes are literal text: with bound values the database cannot tell that an index applies.
function keyMatches(by: PaymentKey): RawBuilder<boolean> {
  if ("id" in by) return sql`id = ${by.id}`;
  if ("idPrefix" in by) return by.idPrefix === "" ? sql`1 = 0` : idBeginsWith(by.idPrefix);
  if ("sessionId" in by) return sql`session_id = ${by.sessionId}`;
  if ("transactionId" in by)
    return sql`id in (select payment_id from tillkit_transactions
      where (tillkit_transactions.id = ${by.transactionId} or code = ${by.transactionId}) and evidence <> 'resemblance')`;
  if ("sessionCode" in by) return sql`session_code = ${by.sessionCode}`;
  if ("transactionCode" in by) return sql`transaction_code = ${by.transactionCode}`;
  return sql`store_id = ${by.storeId} and attempt = ${by.attempt} and attempt <> ''`;
}

type PaymentTable = LedgerSchema["tillkit_payments"];

function paymentToRow(payment: Payment): Insertable<PaymentTable> {
  return {
    id: payment.id,
    store_id: payment.ref.storeId,
    order_id: payment.ref.orderId,
    order_number: payment.orderNumber,
    attempt: payment.attempt,
    environment: payment.environment,
    account: payment.account,
    credential_id: payment.credentialId,
    created_at: payment.createdAt,
    amount_due_minor: payment.amountDue.minor,
    amount_due_currency: payment.amountDue.currency,
    wire_amount: payment.wireAmount,
    request: payment.request,
    reference: payment.reference,
    session_id: payment.session?.id ?? null,
    session_url: payment.session?.url ?? null,
    session_expires_at: payment.session?.expiresAt ?? null,
    amount_received_minor: payment.amountReceived?.minor ?? null,
    amount_received_currency: payment.amountReceived?.currency ?? null,
    transaction_id: payment.transactionId,
    state: payment.state,
    version: payment.version,
    checks: payment.checks,
    next_check_at: payment.nextCheckAt,
    store_write_at: payment.storeWriteAt,
    store_tries: payment.storeTries,
    store_retry_at: payment.storeRetryAt,
    finding: payment.finding && JSON.stringify(payment.finding),
    waiver: payment.waiver && JSON.stringify(payment.waiver),
    lost_to_dispute: payment.lostToDispute ? 1 : 0,
    traceparent: payment.traceparent ?? null,
  };
}

export function rowToPayment(row: Selectable<PaymentTable>): Payment {
  return {
    id: row.id,
    ref: { storeId: row.store_id, orderId: row.order_id },
    orderNumber: row.order_number,
    attempt: row.attempt,
    environment: row.environment,
    account: row.account,
    credentialId: row.credential_id,
    createdAt: row.created_at,
    amountDue: { minor: row.amount_due_minor, currency: row.amount_due_currency },
    wireAmount: row.wire_amount,
    request: row.request,
    reference: row.reference,
    session: rowToSession(row),
    amountReceived: rowToAmountReceived(row),
    transactionId: row.transaction_id,
    state: row.state,
    version: row.version,
    checks: row.checks,
    nextCheckAt: row.next_check_at,
    storeWriteAt: row.store_write_at,
    storeTries: row.store_tries,
    storeRetryAt: row.store_retry_at,
    finding: row.finding === null ? null : readFinding(JSON.parse(row.finding)),
    waiver: row.waiver === null ? null : readWaiver(row.waiver),
    lostToDispute: row.lost_to_dispute === 1,
    ...(row.traceparent === null ? {} : { traceparent: row.traceparent }),
  };
}

function rowToAmountReceived({
  amount_received_minor: minor,
  amount_received_currency: currency,
}: Selectable<PaymentTable>) {
  return minor === null || currency === null ? null : { minor, currency };
}

function rowToSession(row: Selectable<PaymentTable>): Payment["session"] {
  const { session_id: id, session_url: url, session_expires_at: expiresAt } = row;
  return id === null || url === null || expiresAt === null ? null : { id, url, expiresAt };
}

function readWaiver(text: string): Waiver {
  const stored = JSON.parse(text) as Waiver;
  return { ...stored, finding: readFinding(stored.finding) };
}
