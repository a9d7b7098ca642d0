import type { refundRequestSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { moveFunds } from "../balances/balances.ts";
import { delegatedBy, delegatedLike, networkJson } from "../network/delegation.ts";
import { belongsTo, type Owner } from "../payments/sessions.ts";
import { readTransaction } from "../payments/transactions.ts";
import { iso } from "../service/clock.ts";
import { notFound, Refusal, validationFailed } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import { keepEarlier } from "../service/stale-reads.ts";
import type { RefundRow } from "../storage/money-tables.ts";
import type { Rows } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/tables.ts";
import {
  cancelSubscription,
  livingStates,
  pauseSubscription,
  readSubscription,
} from "../subscriptions/subscriptions.ts";
import { emitEvent } from "../webhooks/events.ts";

type RefundRequest = z.output<typeof refundRequestSchema>;

/**
 * The transaction that a refund may be taken from.
 * @throws Refusal `not_found`, `conflict`, `validation_failed`, `amount_invalid`
 */
export async function refundable(rows: Rows, owner: Owner, request: RefundRequest): Promise<TransactionRow> {
  const transaction = await readTransaction(rows, request.transaction_id, owner);
  const { status, gross_amount } = transaction;
  if (status === "refunded") throw new Refusal("conflict", "The transaction is fully refunded");
  if (status !== "completed") throw new Refusal("conflict", `A transaction that is ${status} cannot be refunded`);
  if (request.refund_type === "full" && request.amount < gross_amount) {
    throw validationFailed({ refund_type: ["full needs the whole amount of the transaction"] });
  }
  const left = gross_amount - transaction.refunded_amount - (await pendingAmount(rows, transaction));
  if (request.amount > left) throw new Refusal("amount_invalid", `Only ${left} of this transaction can be refunded`);
  return transaction;
}

/** A pending refund with REFUND_CREATED; unless the switch says otherwise, it completes at once. */
export async function createRefund(
  change: Change,
  owner: Owner,
  transaction: TransactionRow,
  request: RefundRequest,
): Promise<RefundRow> {
  const row: RefundRow = {
    refund_id: change.service.ids.uuid(),
    transaction_id: transaction.transaction_id,
    session_id: transaction.session_id,
    organization_id: transaction.organization_id,
    environment: transaction.environment,
    ...(owner.delegation === undefined ? delegatedLike(transaction) : delegatedBy(owner)),
    amount: request.amount,
    currency_code: transaction.currency_code,
    reason: request.reason ?? null,
    status: "pending",
    failure_message: null,
    subscription_action: request.subscription_action ?? "default",
    metadata_json: JSON.stringify(merchantMetadata(transaction)),
    created_at: change.now,
    updated_at: change.now,
  };
  await change.rows.insertInto("refunds").values(row).execute();
  await emitRefundEvent(change, "REFUND_CREATED", row);
  return change.service.settings.refunds === "instant" ? completeRefund(change, row) : row;
}

/**
 * pending → completed: the money leaves the balance and the transaction counts it.
 * @throws Refusal `conflict`
 */
export async function completeRefund(change: Change, refund: RefundRow): Promise<RefundRow> {
  const done = await move(change, refund, { status: "completed" });
  const transaction = await readTransaction(change.rows, refund.transaction_id);
  keepEarlier(change, change.service.earlier.transactions, transaction.transaction_id, transaction);
  const refunded = transaction.refunded_amount + refund.amount;
  const whole = refunded >= transaction.gross_amount;
  await change.rows
    .updateTable("transactions")
    .set({ refunded_amount: refunded, updated_at: change.now, ...(whole ? { status: "refunded" } : {}) })
    .where("transaction_id", "=", transaction.transaction_id)
    .execute();
  await moveFunds(change, refund, { available: -refund.amount });
  await emitRefundEvent(change, "REFUND_COMPLETED", done);
  await endSubscription(change, transaction, refund);
  return done;
}

/**
 * pending → failed: nothing moves.
 * @throws Refusal `conflict`
 */
export async function failRefund(change: Change, refund: RefundRow): Promise<RefundRow> {
  const failed = await move(change, refund, {
    status: "failed",
    failure_message: "The provider refused the refund.",
  });
  await emitRefundEvent(change, "REFUND_FAILED", failed);
  return failed;
}

/** @throws Refusal `not_found`, also for the refund of another merchant or environment */
export async function readRefund(rows: Rows, refundId: string, owner?: Owner): Promise<RefundRow> {
  const row = await rows
    .selectFrom("refunds")
    .selectAll()
    .where("refund_id", "=", refundId.toLowerCase())
    .executeTakeFirst();
  if (row === undefined || (owner !== undefined && !belongsTo(row, owner))) throw notFound("Refund");
  return row;
}

/** The refund as the API shows it, and as events carry it. */
export function refundJson(row: RefundRow): Record<string, unknown> {
  return {
    refund_id: row.refund_id,
    transaction_id: row.transaction_id,
    checkout_session_id: row.session_id,
    amount: row.amount,
    refunded_amount: refundedAmount(row),
    fee_amount: 0,
    currency_code: row.currency_code,
    reason: row.reason,
    status: row.status,
    metadata: JSON.parse(row.metadata_json),
    organization_id: row.organization_id,
    environment: row.environment,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    ...(row.failure_message === null ? {} : { failure_message: row.failure_message }),
    ...networkJson(row),
  };
}

export function refundedAmount({ status, amount }: RefundRow): number {
  return status === "completed" ? amount : 0;
}

function emitRefundEvent(
  change: Change,
  event: "REFUND_CREATED" | "REFUND_COMPLETED" | "REFUND_FAILED",
  refund: RefundRow,
): Promise<void> {
  return emitEvent(change, event, refund, refundJson(refund));
}

async function move(change: Change, refund: RefundRow, to: Partial<RefundRow>): Promise<RefundRow> {
  if (refund.status !== "pending") {
    throw new Refusal("conflict", `A refund that is ${refund.status} cannot become ${to.status}`);
  }
  keepEarlier(change, change.service.earlier.refunds, refund.refund_id, refund);
  const step = { ...to, updated_at: change.now };
  await change.rows.updateTable("refunds").set(step).where("refund_id", "=", refund.refund_id).execute();
  return { ...refund, ...step };
}

async function pendingAmount(rows: Rows, { transaction_id }: TransactionRow): Promise<number> {
  const { pending } = await rows
    .selectFrom("refunds")
    .select((of) => of.fn.coalesce(of.fn.sum<number>("amount"), of.val(0)).as("pending"))
    .where("transaction_id", "=", transaction_id)
    .where("status", "=", "pending")
    .executeTakeFirstOrThrow();
  return pending;
}

/** What the merchant gave the payment, without what the service added. */
function merchantMetadata({ metadata_json }: TransactionRow): Record<string, unknown> {
  const { checkout_session_id: _, integration_source: __, ...metadata } = JSON.parse(metadata_json);
  return metadata;
}

async function endSubscription(change: Change, { subscription_id }: TransactionRow, refund: RefundRow): Promise<void> {
  if (subscription_id === null) return;
  const subscription = await readSubscription(change.rows, subscription_id);
  const wish = refund.subscription_action;
  if (wish === "cancel" && livingStates.includes(subscription.status)) await cancelSubscription(change, subscription);
  if (wish === "pause" && subscription.status === "active") await pauseSubscription(change, subscription);
}
