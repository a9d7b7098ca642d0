import type { Erased } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { findPaymentIds, IS_FINAL, redactDeliveries } from "./final-payments.ts";

/** Small transactions let other processes write in between. */
const PAYMENTS_PER_TRANSACTION = 200;

export async function eraseStore({ transaction }: Database<LedgerSchema>, storeId: string): Promise<Erased> {
  for (let erased = 0; ; ) {
    const removed = await transaction((session) => erasePayments(session, storeId));
    erased += removed;
    if (removed === PAYMENTS_PER_TRANSACTION) continue;
    const unfinished = await transaction((session) => eraseStoreRows(session, storeId));
    return { erased, unfinished };
  }
}

async function erasePayments(session: Session, storeId: string): Promise<number> {
  const ids = await findPaymentIds(
    session,
    sql`payment.store_id = ${storeId} and ${IS_FINAL} limit ${PAYMENTS_PER_TRANSACTION}`,
  );
  if (ids.length === 0) return 0;
  // The digests stay, so that a repeated webhook is recognised.
  await redactDeliveries(session, ids);
  await session.deleteFrom("tillkit_transactions").where("payment_id", "in", ids).execute();
  await session.deleteFrom("tillkit_refunds").where("payment_id", "in", ids).execute();
  await session.deleteFrom("tillkit_disputes").where("payment_id", "in", ids).execute();
  await session.deleteFrom("tillkit_timeline").where("payment_id", "in", ids).execute();
  await session.deleteFrom("tillkit_payments").where("id", "in", ids).execute();
  return ids.length;
}

/** Removes the rows of the store itself once it has no payment left. Returns how many payments are left. */
async function eraseStoreRows(session: Session, storeId: string): Promise<number> {
  const unfinished = await findPaymentIds(session, sql`payment.store_id = ${storeId}`);
  if (unfinished.length > 0) return unfinished.length;
  for (const table of ["tillkit_records", "tillkit_secrets"] as const) {
    await session.deleteFrom(table).where("store_id", "=", storeId).execute();
  }
  await sql`delete from tillkit_jobs where store_id = ${storeId} and unique_key is not null and worker is null`.execute(
    session,
  );
  await sql`delete from tillkit_job_keys as key where store_id = ${storeId} and not exists (
    select 1 from tillkit_jobs job where job.store_id = key.store_id and job.unique_key = key.unique_key)`.execute(
    session,
  );
  await session
    .deleteFrom("tillkit_order_locks")
    .where("store_id", "=", storeId)
    .where("leased_until", "is", null)
    .execute();
  return 0;
}
