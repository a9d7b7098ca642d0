import { readTransaction } from "../payments/transactions.ts";
import { iso } from "../service/clock.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import type { DisputeRow } from "../storage/money-tables.ts";
import type { Rows } from "../storage/open-store.ts";
import { emitEvent } from "../webhooks/events.ts";

const daysForEvidence = 10;

/** What is not named is usual: the whole amount, ten days for evidence. Times in milliseconds. */
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
 * The bank takes a card payment back for now: DISPUTE_CREATED.
 * @throws Refusal `not_found`, `conflict`, `amount_invalid`
 */
export async function openDispute(change: Change, wish: NewDispute): Promise<DisputeRow> {
  const transaction = await readTransaction(change.rows, wish.transaction_id);
  const { transaction_id, provider_code, status, gross_amount } = transaction;
  if (provider_code !== "CARD") throw new Refusal("conflict", "Only a card payment can be disputed");
  if (status !== "completed" && status !== "refunded") {
    throw new Refusal("conflict", `A transaction that is ${status} cannot be disputed`);
  }
  if ((wish.amount ?? 0) > gross_amount) throw new Refusal("amount_invalid", `The payment was only ${gross_amount}`);
  await refuseSecond(change.rows, transaction_id);
  const { checkout_session_id: _, ...metadata } = JSON.parse(transaction.metadata_json);
  const row: DisputeRow = {
    dispute_id: change.service.ids.uuid(),
    transaction_id,
    organization_id: transaction.organization_id,
    environment: transaction.environment,
    customer_id: transaction.customer_id,
    amount: wish.amount ?? gross_amount,
    currency_code: transaction.currency_code,
    reason: wish.reason ?? "product_not_received",
    status: "pending",
    outcome: null,
    evidence_due_by: wish.evidence_due_by ?? change.now + daysForEvidence * 86_400_000,
    metadata_json: JSON.stringify(metadata),
    created_at: change.now,
    updated_at: change.now,
  };
  await change.rows.insertInto("disputes").values(row).execute();
  await emitDisputeEvent(change, "DISPUTE_CREATED", row);
  return row;
}

/** Status or evidence changed: DISPUTE_UPDATED. @throws Refusal `not_found`, `conflict` */
export async function updateDispute(change: Change, disputeId: string, update: DisputeUpdate): Promise<DisputeRow> {
  const updated = await move(change, disputeId, (dispute) => ({
    status: update.status ?? dispute.status,
    reason: update.reason ?? dispute.reason,
    evidence_due_by: update.evidence_due_by ?? dispute.evidence_due_by,
  }));
  await emitDisputeEvent(change, "DISPUTE_UPDATED", updated);
  return updated;
}

/** The end of it: DISPUTE_CLOSED. @throws Refusal `not_found`, `conflict` */
export async function closeDispute(change: Change, disputeId: string, outcome: "won" | "lost"): Promise<DisputeRow> {
  const closed = await move(change, disputeId, () => ({ status: "closed", outcome }));
  await emitDisputeEvent(change, "DISPUTE_CLOSED", closed);
  return closed;
}

/** The dispute as events carry it. */
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
    evidence_due_by: iso(row.evidence_due_by),
    metadata: JSON.parse(row.metadata_json),
    environment: row.environment,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

async function refuseSecond(rows: Rows, transactionId: string): Promise<void> {
  const open = await rows
    .selectFrom("disputes")
    .select("dispute_id")
    .where("transaction_id", "=", transactionId)
    .where("status", "!=", "closed")
    .executeTakeFirst();
  if (open !== undefined) throw new Refusal("conflict", `The dispute ${open.dispute_id} of this payment is still open`);
}

async function move(
  change: Change,
  disputeId: string,
  stepOf: (dispute: DisputeRow) => Partial<DisputeRow>,
): Promise<DisputeRow> {
  const dispute = await change.rows
    .selectFrom("disputes")
    .selectAll()
    .where("dispute_id", "=", disputeId)
    .executeTakeFirst();
  if (dispute === undefined) throw notFound("Dispute");
  if (dispute.status === "closed") throw new Refusal("conflict", "The dispute is closed");
  const step = { ...stepOf(dispute), updated_at: change.now };
  await change.rows.updateTable("disputes").set(step).where("dispute_id", "=", disputeId).execute();
  return { ...dispute, ...step };
}

async function emitDisputeEvent(
  change: Change,
  event: "DISPUTE_CREATED" | "DISPUTE_UPDATED" | "DISPUTE_CLOSED",
  dispute: DisputeRow,
): Promise<void> {
  const { session_id, membership_id, account } = await readTransaction(change.rows, dispute.transaction_id);
  await emitEvent(change, event, { ...dispute, session_id, membership_id, account }, disputeJson(dispute));
}
