import type { Refund } from "@tillkit/core";
import type { MarkHistory } from "@tillkit/core/ledger";
import { type Selectable, sql } from "kysely";
import { RejectedChange } from "../database/rejected-change.ts";
import type { LedgerSchema, Session } from "../database/schema.ts";

export async function findRefunds(session: Session, paymentIds: readonly string[]): Promise<readonly Refund[]> {
  if (paymentIds.length === 0) return [];
  const rows = await session
    .selectFrom("tillkit_refunds")
    .selectAll()
    .where("payment_id", "in", paymentIds)
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
    mark: row.mark,
    markReadAt: row.mark_read_at,
    unmarkedKey: row.unmarked_key,
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
    mark: refund.mark,
    mark_read_at: refund.markReadAt,
    unmarked_key: refund.unmarkedKey,
  };
  const { numInsertedOrUpdatedRows } = await session
    .insertInto("tillkit_refunds")
    .values({
      key: refund.key,
      payment_id: refund.paymentId,
      credential_id: sql<string>`coalesce((select credential_id from tillkit_payments where id = ${refund.paymentId}), '')`,
      ...values,
    })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet(values).where("tillkit_refunds.payment_id", "=", refund.paymentId),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new RejectedChange("taken");
}

/** Both times come from the last row of an index, however many refunds a credential has. */
export async function findMarkHistory(session: Session, credentialId: string): Promise<MarkHistory> {
  const { rows } = await sql<{ read_at: number | null; refused_at: number | null }>`select
    (select max(mark_read_at) from tillkit_refunds
      where credential_id = ${credentialId} and mark_read_at is not null) as read_at,
    (select max(requested_at) from tillkit_refunds
      where credential_id = ${credentialId} and unmarked_key is not null) as refused_at`.execute(session);
  const [row] = rows;
  return { readAt: row?.read_at ?? null, refusedAt: row?.refused_at ?? null };
}
