import type { Dispute } from "@tillkit/core";
import { isOpenDispute } from "@tillkit/core/ledger";
import type { Insertable, Selectable } from "kysely";
import { RejectedChange } from "../database/rejected-change.ts";
import type { LedgerSchema, Session } from "../database/schema.ts";

type DisputeTable = LedgerSchema["tillkit_disputes"];

export async function findDisputes(session: Session, paymentIds: readonly string[]): Promise<readonly Dispute[]> {
  if (paymentIds.length === 0) return [];
  const rows = await session
    .selectFrom("tillkit_disputes")
    .selectAll()
    .where("payment_id", "in", paymentIds)
    .orderBy("sequence")
    .execute();
  return rows.map(rowToDispute);
}

/**
 * Inserts a dispute, or replaces the stored dispute of the same id unless the stored dispute was updated later.
 * @throws RejectedChange `taken` when the id belongs to another payment
 */
export async function upsertDispute(session: Session, dispute: Dispute): Promise<void> {
  const { id, payment_id, ...values } = disputeToRow(dispute);
  const { numInsertedOrUpdatedRows } = await session
    .insertInto("tillkit_disputes")
    .values({ id, payment_id, ...values })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(values)
        .where("tillkit_disputes.payment_id", "=", payment_id)
        .where("tillkit_disputes.updated_at", "<=", values.updated_at),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n && (await findPaymentOfDispute(session, id)) !== payment_id)
    throw new RejectedChange("taken");
}

export function rowToDispute(row: Selectable<DisputeTable>): Dispute {
  const { amount_minor: minor, amount_currency: currency } = row;
  return {
    id: row.id,
    paymentId: row.payment_id,
    transactionId: row.transaction_id,
    amount: minor === null || currency === null ? null : { minor, currency },
    reason: row.reason,
    status: row.status,
    outcome: row.outcome,
    evidenceDueBy: row.evidence_due_by,
    openedAt: row.opened_at,
    updatedAt: row.updated_at,
  };
}

function disputeToRow(dispute: Dispute): Insertable<DisputeTable> {
  return {
    id: dispute.id,
    payment_id: dispute.paymentId,
    transaction_id: dispute.transactionId,
    amount_minor: dispute.amount?.minor ?? null,
    amount_currency: dispute.amount?.currency ?? null,
    reason: dispute.reason,
    status: dispute.status,
    outcome: dispute.outcome,
    evidence_due_by: dispute.evidenceDueBy,
    opened_at: dispute.openedAt,
    updated_at: dispute.updatedAt,
    is_open: isOpenDispute(dispute) ? 1 : 0,
  };
}

async function findPaymentOfDispute(session: Session, id: string): Promise<string | undefined> {
  const row = await session.selectFrom("tillkit_disputes").select("payment_id").where("id", "=", id).executeTakeFirst();
  return row?.payment_id;
}
