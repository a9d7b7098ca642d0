import type { Refund } from "@tillkit/core";
import type { Selectable } from "kysely";
import { RejectedChange } from "../database/rejected-change.ts";
import type { LedgerSchema, Session } from "../database/schema.ts";

export async function findRefunds(session: Session, paymentId: string): Promise<readonly Refund[]> {
  const rows = await session
    .selectFrom("tillkit_refunds")
    .selectAll()
    .where("payment_id", "=", paymentId)
    .orderBy("sequence")
    .execute();
  return rows.map(rowToRefund);
}

export function rowToRefund(row: Selectable<LedgerSchema["tillkit_refunds"]>): Refund {
  return {
    key: row.key,
    paymentId: row.payment_id,
    origin: row.origin,
    amount: { minor: row.amount_minor, currency: row.amount_currency },
    request: row.request,
    transactionId: row.transaction_id,
    state: row.state,
    refundId: row.refund_id,
    requestedAt: row.requested_at,
    readOnlySince: row.read_only_since,
    otherKeys: JSON.parse(row.other_keys),
  };
}

/**
 * Inserts a refund, or replaces the stored refund of the same key.
 * @throws RejectedChange `taken` when the key belongs to another payment
 */
export async function upsertRefund(session: Session, refund: Refund): Promise<void> {
  const values = {
    origin: refund.origin,
    amount_minor: refund.amount.minor,
    amount_currency: refund.amount.currency,
    request: refund.request,
    transaction_id: refund.transactionId,
    state: refund.state,
    refund_id: refund.refundId,
    requested_at: refund.requestedAt,
    read_only_since: refund.readOnlySince,
    other_keys: JSON.stringify(refund.otherKeys),
  };
  const { numInsertedOrUpdatedRows } = await session
    .insertInto("tillkit_refunds")
    .values({ key: refund.key, payment_id: refund.paymentId, ...values })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet(values).where("tillkit_refunds.payment_id", "=", refund.paymentId),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new RejectedChange("taken");
}
