import type { Erased } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import { emptyDeliveriesOf, IS_FINAL, idsOf } from "./final-payments.ts";
import type { LedgerSchema, Session } from "./schema.ts";

/** Payments that one transaction removes: others want to write meanwhile. */
const PAYMENTS_AT_ONCE = 200;

export async function eraseStore({ transaction }: Database<LedgerSchema>, storeId: string): Promise<Erased> {
  for (let erased = 0; ; ) {
    const removed = await transaction((session) => removeSome(session, storeId));
    erased += removed;
    if (removed === PAYMENTS_AT_ONCE) continue;
    const unfinished = await transaction((session) => finish(session, storeId));
    return { erased, unfinished };
  }
}

async function removeSome(session: Session, storeId: string): Promise<number> {
  const ids = await idsOf(session, sql`payment.store_id = ${storeId} and ${IS_FINAL} limit ${PAYMENTS_AT_ONCE}`);
  if (ids.length === 0) return 0;
  // Digests stay: a webhook that comes again is still known.
  await emptyDeliveriesOf(session, ids);
  await session.deleteFrom("tillkit_refunds").where("payment_id", "in", ids).execute();
  await session.deleteFrom("tillkit_disputes").where("payment_id", "in", ids).execute();
  await session.deleteFrom("tillkit_story").where("payment_id", "in", ids).execute();
  await session.deleteFrom("tillkit_payments").where("id", "in", ids).execute();
  return ids.length;
}

/** What belongs to the store itself goes with its last payment. */
async function finish(session: Session, storeId: string): Promise<number> {
  const left = await idsOf(session, sql`payment.store_id = ${storeId}`);
  if (left.length > 0) return left.length;
  for (const table of ["tillkit_records", "tillkit_secrets"] as const) {
    await session.deleteFrom(table).where("store_id", "=", storeId).execute();
  }
  await session
    .deleteFrom("tillkit_order_locks")
    .where("store_id", "=", storeId)
    .where("leased_until", "is", null)
    .execute();
  return 0;
}
