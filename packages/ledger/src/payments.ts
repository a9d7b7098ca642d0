import type { Change, OrderRef, Payment, PaymentKey } from "@tillkit/core";
import { isUniqueViolation } from "@tillkit/sql";
import { type RawBuilder, sql } from "kysely";
import { paymentOfRow, rowOfPayment } from "./payment-row.ts";
import { Refused } from "./refused.ts";
import type { Session } from "./schema.ts";

export async function findPayment(session: Session, by: PaymentKey): Promise<Payment | null> {
  const row = await session
    .selectFrom("tillkit_payments")
    .selectAll()
    .where(keyMatches(by))
    .orderBy("created_at", "desc")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : paymentOfRow(row);
}

export async function siblingsOf(session: Session, ref: OrderRef): Promise<readonly Payment[]> {
  const rows = await session
    .selectFrom("tillkit_payments")
    .selectAll()
    .where("store_id", "=", ref.storeId)
    .where("order_id", "=", ref.orderId)
    .orderBy("created_at")
    .orderBy("seq")
    .execute();
  return rows.map(paymentOfRow);
}

export async function openPayments(session: Session, credentialId: string, limit: number): Promise<readonly Payment[]> {
  const rows = await session
    .selectFrom("tillkit_payments")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .where(sql<boolean>`state in ('intent', 'open', 'superseded', 'expired')`)
    .orderBy("created_at", "desc")
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
  return rows.map(paymentOfRow);
}

/** @throws Refused; RangeError when the version does not follow the one that was read */
export async function putPayment(session: Session, { next, expect }: NonNullable<Change["payment"]>): Promise<void> {
  if (next.version !== (expect === "new" ? 1 : expect + 1)) {
    throw new RangeError(`The version of payment ${next.id} must follow the one that was read.`);
  }
  try {
    if (expect === "new") await addPayment(session, next);
    else await changePayment(session, next, expect);
  } catch (error) {
    throw isUniqueViolation(error) ? new Refused("taken") : error;
  }
}

async function addPayment(session: Session, payment: Payment): Promise<void> {
  const { numInsertedOrUpdatedRows } = await session
    .insertInto("tillkit_payments")
    .values(rowOfPayment(payment))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new Refused("stale");
}

async function changePayment(session: Session, payment: Payment, expect: number): Promise<void> {
  const { numUpdatedRows } = await session
    .updateTable("tillkit_payments")
    .set(rowOfPayment(payment))
    .where("id", "=", payment.id)
    .where("version", "=", expect)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Refused("stale");
}

// Conditions of partial indexes are spelled out: with bound values the database could not know that they apply.
function keyMatches(by: PaymentKey): RawBuilder<boolean> {
  if ("id" in by) return sql`id = ${by.id}`;
  if ("sessionId" in by) return sql`session_id = ${by.sessionId}`;
  if ("transactionId" in by) return sql`transaction_id = ${by.transactionId}`;
  return sql`store_id = ${by.storeId} and attempt = ${by.attempt} and attempt <> ''`;
}
