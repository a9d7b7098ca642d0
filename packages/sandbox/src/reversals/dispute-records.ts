import { notFound } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import { readTransaction } from "../payments/transactions.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { DisputeRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import { emitEvent } from "../webhooks/events.ts";

/** @throws ApiError `not_found` */
export async function readDispute(database: SandboxDatabase, disputeId: string): Promise<DisputeRow> {
  const row = await database
    .selectFrom("disputes")
    .selectAll()
    .where("dispute_id", "=", disputeId.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) throw notFound("Dispute");
  return row;
}

export async function saveDispute(
  context: WriteContext,
  dispute: DisputeRow,
  change: Partial<DisputeRow>,
): Promise<DisputeRow> {
  const update = { ...change, updated_at: context.now };
  await context.database.updateTable("disputes").set(update).where("dispute_id", "=", dispute.dispute_id).execute();
  return { ...dispute, ...update };
}

export async function emitDisputeEvent(
  context: WriteContext,
  event: "DISPUTE_CREATED" | "DISPUTE_UPDATED" | "DISPUTE_CLOSED",
  dispute: DisputeRow,
): Promise<void> {
  const { session_id, membership_id, account } = await readTransaction(context.database, dispute.transaction_id);
  await emitEvent(context, event, { ...dispute, session_id, membership_id, account }, disputeJson(dispute));
}

/** The dispute as events contain it. */
function disputeJson(row: DisputeRow): Record<string, unknown> {
  return {
    dispute_id: row.dispute_id,
    transaction_id: row.transaction_id,
    customer_id: row.customer_id,
    organization_id: row.organization_id,
    amount: row.amount,
    currency_code: row.currency_code,
    reason: row.reason,
    status: row.status,
    outcome: row.outcome,
    evidence_due_by: isoTime(row.evidence_due_by),
    metadata: JSON.parse(row.metadata_json),
    environment: row.environment,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** The dispute as the control API returns it: the service's events carry no evidence. */
export function disputeRecord(row: DisputeRow): Record<string, unknown> {
  return {
    ...disputeJson(row),
    evidence: row.evidence_json === null ? null : JSON.parse(row.evidence_json),
    evidence_submitted_at: row.evidence_submitted_at === null ? null : isoTime(row.evidence_submitted_at),
  };
}
