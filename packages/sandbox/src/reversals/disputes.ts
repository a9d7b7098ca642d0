import { ApiError, notFound } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import { readTransaction } from "../payments/transactions.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { DisputeRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import { emitEvent } from "../webhooks/events.ts";

const daysForEvidence = 10;

/** Defaults: the whole amount and ten days for evidence. Times are in milliseconds. */
export type NewDispute = {
  transaction_id: string;
  amount?: number | undefined;
  reason?: string | undefined;
  evidence_due_by?: number | undefined;
};
export type DisputeUpdate = {
  status?: "pending" | "resolved" | undefined;
  reason?: string | undefined;
  evidence_due_by?: number | undefined;
};

/**
 * Opens a dispute of a card payment and emits DISPUTE_CREATED.
 * @throws ApiError `not_found`, `conflict`, `amount_invalid`
 */
export async function openDispute(context: WriteContext, input: NewDispute): Promise<DisputeRow> {
  const transaction = await readTransaction(context.database, input.transaction_id);
  const { transaction_id, provider_code, status, gross_amount } = transaction;
  if (provider_code !== "CARD") throw new ApiError("conflict", "Only a card payment can be disputed");
  if (status !== "completed" && status !== "refunded") {
    throw new ApiError("conflict", `A transaction that is ${status} cannot be disputed`);
  }
  if ((input.amount ?? 0) > gross_amount) throw new ApiError("amount_invalid", `The payment was only ${gross_amount}`);
  await assertNoOpenDispute(context.database, transaction_id);
  const { checkout_session_id: _, ...metadata } = JSON.parse(transaction.metadata_json);
  const row: DisputeRow = {
    dispute_id: context.service.ids.uuid(),
    transaction_id,
    organization_id: transaction.organization_id,
    environment: transaction.environment,
    customer_id: transaction.customer_id,
    amount: input.amount ?? gross_amount,
    currency_code: transaction.currency_code,
    reason: input.reason ?? "product_not_received",
    status: "pending",
    outcome: null,
    evidence_due_by: input.evidence_due_by ?? context.now + daysForEvidence * 86_400_000,
    metadata_json: JSON.stringify(metadata),
    created_at: context.now,
    updated_at: context.now,
  };
  await context.database.insertInto("disputes").values(row).execute();
  await emitDisputeEvent(context, "DISPUTE_CREATED", row);
  return row;
}

/** Updates a dispute and emits DISPUTE_UPDATED. @throws ApiError `not_found`, `conflict` */
export async function updateDispute(
  context: WriteContext,
  disputeId: string,
  update: DisputeUpdate,
): Promise<DisputeRow> {
  const updated = await updateOpenDispute(context, disputeId, (dispute) => ({
    status: update.status ?? dispute.status,
    reason: update.reason ?? dispute.reason,
    evidence_due_by: update.evidence_due_by ?? dispute.evidence_due_by,
  }));
  await emitDisputeEvent(context, "DISPUTE_UPDATED", updated);
  return updated;
}

/** Closes a dispute and emits DISPUTE_CLOSED. @throws ApiError `not_found`, `conflict` */
export async function closeDispute(
  context: WriteContext,
  disputeId: string,
  outcome: "won" | "lost",
): Promise<DisputeRow> {
  const closed = await updateOpenDispute(context, disputeId, () => ({ status: "closed", outcome }));
  await emitDisputeEvent(context, "DISPUTE_CLOSED", closed);
  return closed;
}

/** The dispute as events contain it. */
export function disputeJson(row: DisputeRow): Record<string, unknown> {
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

async function assertNoOpenDispute(database: SandboxDatabase, transactionId: string): Promise<void> {
  const open = await database
    .selectFrom("disputes")
    .select("dispute_id")
    .where("transaction_id", "=", transactionId)
    .where("status", "!=", "closed")
    .executeTakeFirst();
  if (open !== undefined)
    throw new ApiError("conflict", `The dispute ${open.dispute_id} of this payment is still open`);
}

async function updateOpenDispute(
  context: WriteContext,
  disputeId: string,
  buildUpdate: (dispute: DisputeRow) => Partial<DisputeRow>,
): Promise<DisputeRow> {
  const dispute = await context.database
    .selectFrom("disputes")
    .selectAll()
    .where("dispute_id", "=", disputeId)
    .executeTakeFirst();
  if (dispute === undefined) throw notFound("Dispute");
  if (dispute.status === "closed") throw new ApiError("conflict", "The dispute is closed");
  const update = { ...buildUpdate(dispute), updated_at: context.now };
  await context.database.updateTable("disputes").set(update).where("dispute_id", "=", disputeId).execute();
  return { ...dispute, ...update };
}

async function emitDisputeEvent(
  context: WriteContext,
  event: "DISPUTE_CREATED" | "DISPUTE_UPDATED" | "DISPUTE_CLOSED",
  dispute: DisputeRow,
): Promise<void> {
  const { session_id, membership_id, account } = await readTransaction(context.database, dispute.transaction_id);
  await emitEvent(context, event, { ...dispute, session_id, membership_id, account }, disputeJson(dispute));
}
