import { ApiError, conflict } from "../domain/api-error.ts";
import type { Currency } from "../domain/currencies.ts";
import { readTransaction } from "../payments/transactions.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { DisputeRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import { emitDisputeEvent, readDispute, saveDispute } from "./dispute-records.ts";

const EVIDENCE_MS = 10 * 24 * 60 * 60 * 1000;

/**
 * Defaults: the whole amount in the currency of the transaction, and ten days for evidence. Null: the dispute names no amount or no
 * currency. The amount may be more than the transaction, as a bank may add its fee. Times are in milliseconds.
 */
export type NewDispute = {
  transaction_id: string;
  amount?: number | null | undefined;
  currency_code?: Currency | null | undefined;
  reason?: string | undefined;
  evidence_due_by?: number | undefined;
};

/** Omitted fields keep their values. `evidence` is added to the evidence that was submitted before. */
export type DisputeUpdate = {
  status?: "pending" | "resolved" | undefined;
  reason?: string | undefined;
  evidence_due_by?: number | undefined;
  evidence?: Evidence | undefined;
};

/** The texts that the merchant submits, by name, such as `shipping_tracking_number`. */
export type Evidence = Record<string, string>;

/**
 * Opens a dispute of a card payment and emits DISPUTE_CREATED. A dispute without evidence is lost at its deadline.
 * @throws ApiError `not_found`, `conflict`, `bad_request` for a deadline in the past
 */
export async function openDispute(context: WriteContext, input: NewDispute): Promise<DisputeRow> {
  const transaction = await readTransaction(context.database, input.transaction_id);
  const { transaction_id, provider_code, status, gross_amount } = transaction;
  if (provider_code !== "CARD") {
    throw conflict("Only a card payment can be disputed", { transaction_id, provider_code });
  }
  if (status !== "completed" && status !== "refunded") {
    throw conflict(`A transaction that is ${status} cannot be disputed`, { transaction_id, status });
  }
  await assertNoOpenDispute(context.database, transaction_id);
  const evidence_due_by = input.evidence_due_by ?? context.now + EVIDENCE_MS;
  assertInFuture(context, evidence_due_by);
  const { checkout_session_id: _, ...metadata } = JSON.parse(transaction.metadata_json);
  const row: DisputeRow = {
    dispute_id: context.service.ids.uuid(),
    transaction_id,
    organization_id: transaction.organization_id,
    environment: transaction.environment,
    customer_id: transaction.customer_id,
    amount: input.amount === undefined ? gross_amount : input.amount,
    currency_code: input.currency_code === undefined ? transaction.currency_code : input.currency_code,
    reason: input.reason ?? "product_not_received",
    status: "pending",
    outcome: null,
    evidence_due_by,
    evidence_json: null,
    evidence_submitted_at: null,
    metadata_json: JSON.stringify(metadata),
    created_at: context.now,
    updated_at: context.now,
  };
  await context.database.insertInto("disputes").values(row).execute();
  await emitDisputeEvent(context, "DISPUTE_CREATED", row);
  context.scheduleAt(evidence_due_by);
  return row;
}

/**
 * Changes status, reason, deadline or evidence and emits DISPUTE_UPDATED. An update that changes nothing emits no event.
 * @throws ApiError `not_found`, `conflict` when the dispute is closed or evidence comes after the deadline, `bad_request`
 *   for a deadline in the past
 */
export async function updateDispute(
  context: WriteContext,
  disputeId: string,
  update: DisputeUpdate,
): Promise<DisputeRow> {
  const dispute = await readOpenDispute(context.database, disputeId);
  const change = {
    status: update.status ?? dispute.status,
    reason: update.reason ?? dispute.reason,
    evidence_due_by: update.evidence_due_by ?? dispute.evidence_due_by,
    evidence_json: withEvidence(dispute, update.evidence),
  };
  const names = Object.keys(change) as (keyof typeof change)[];
  if (names.every((name) => change[name] === dispute[name])) return dispute;
  if (change.evidence_due_by !== dispute.evidence_due_by) assertInFuture(context, change.evidence_due_by);
  const submitsEvidence = change.evidence_json !== dispute.evidence_json;
  if (submitsEvidence) assertBeforeDeadline(context, dispute);
  const evidence_submitted_at = submitsEvidence ? context.now : dispute.evidence_submitted_at;
  const updated = await saveDispute(context, dispute, { ...change, evidence_submitted_at });
  await emitDisputeEvent(context, "DISPUTE_UPDATED", updated);
  context.scheduleAt(updated.evidence_due_by);
  return updated;
}

/**
 * Closes a dispute and emits DISPUTE_CLOSED. A dispute that was closed without an outcome can be closed once more, with its outcome.
 * @throws ApiError `not_found`, `conflict`
 */
export async function closeDispute(
  context: WriteContext,
  disputeId: string,
  outcome: DisputeRow["outcome"],
): Promise<DisputeRow> {
  const dispute = await readDispute(context.database, disputeId);
  if (dispute.outcome !== null || outcome === null) assertOpen(dispute);
  const closed = await saveDispute(context, dispute, { status: "closed", outcome });
  await emitDisputeEvent(context, "DISPUTE_CLOSED", closed);
  return closed;
}

async function assertNoOpenDispute(database: SandboxDatabase, transactionId: string): Promise<void> {
  const open = await database
    .selectFrom("disputes")
    .select(["dispute_id", "status"])
    .where("transaction_id", "=", transactionId)
    .where("status", "!=", "closed")
    .executeTakeFirst();
  if (open === undefined) return;
  throw conflict(`The dispute ${open.dispute_id} of this payment is still open`, open);
}

async function readOpenDispute(database: SandboxDatabase, disputeId: string): Promise<DisputeRow> {
  const dispute = await readDispute(database, disputeId);
  assertOpen(dispute);
  return dispute;
}

function assertOpen({ dispute_id, status, outcome }: DisputeRow): void {
  if (status === "closed") throw conflict("The dispute is closed", { dispute_id, status, outcome });
}

function withEvidence({ evidence_json }: DisputeRow, evidence: Evidence | undefined): string | null {
  if (evidence === undefined || Object.keys(evidence).length === 0) return evidence_json;
  return JSON.stringify({ ...JSON.parse(evidence_json ?? "{}"), ...evidence });
}

function assertInFuture({ now }: WriteContext, deadline: number): void {
  if (deadline <= now) throw new ApiError("bad_request", "evidence_due_by must be in the future.");
}

function assertBeforeDeadline({ now }: WriteContext, { dispute_id, evidence_due_by }: DisputeRow): void {
  if (now < evidence_due_by) return;
  const deadline = new Date(evidence_due_by).toISOString();
  throw conflict(`The deadline for evidence was ${deadline}`, { dispute_id, evidence_due_by: deadline });
}
