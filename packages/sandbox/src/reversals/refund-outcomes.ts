import { moveFunds } from "../balances/balances.ts";
import { conflict } from "../domain/api-error.ts";
import { readTransaction } from "../payments/transactions.ts";
import type { WriteContext } from "../runtime/service.ts";
import { recordVersion } from "../runtime/stale-reads.ts";
import type { RefundRow } from "../storage/money-tables.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { pauseSubscription } from "../subscriptions/change-subscription.ts";
import { cancelSubscription, unendedStatuses } from "../subscriptions/end-subscription.ts";
import { readSubscription } from "../subscriptions/subscriptions.ts";
import { emitRefundEvent } from "./refund-events.ts";

/**
 * pending → completed. Debits the balance and raises the refunded amount of the transaction.
 * @throws ApiError `conflict`
 */
export async function completeRefund(context: WriteContext, refund: RefundRow): Promise<RefundRow> {
  const completed = await transition(context, refund, { status: "completed" });
  const transaction = await readTransaction(context.database, refund.transaction_id);
  recordVersion(context, context.service.rowHistory.transactions, transaction.transaction_id, transaction);
  const refunded = transaction.refunded_amount + refund.amount;
  const isFullyRefunded = refunded >= transaction.gross_amount;
  const status = isFullyRefunded ? "refunded" : transaction.status;
  await context.database
    .updateTable("transactions")
    .set({ refunded_amount: refunded, updated_at: context.now, status })
    .where("transaction_id", "=", transaction.transaction_id)
    .execute();
  await moveFunds(context, refund, { available: -refund.amount });
  await emitRefundEvent(context, "REFUND_COMPLETED", completed);
  await applySubscriptionAction(context, transaction, refund);
  return completed;
}

/**
 * pending → failed. The balance does not change.
 * @throws ApiError `conflict`
 */
export async function failRefund(context: WriteContext, refund: RefundRow): Promise<RefundRow> {
  const failed = await transition(context, refund, {
    status: "failed",
    failure_message: "The provider refused the refund.",
  });
  await emitRefundEvent(context, "REFUND_FAILED", failed);
  return failed;
}

async function transition(context: WriteContext, refund: RefundRow, to: Partial<RefundRow>): Promise<RefundRow> {
  if (refund.status !== "pending") {
    const { refund_id, status } = refund;
    throw conflict(`A refund that is ${status} cannot become ${to.status}`, { refund_id, status });
  }
  recordVersion(context, context.service.rowHistory.refunds, refund.refund_id, refund);
  const update = { ...to, updated_at: context.now };
  await context.database.updateTable("refunds").set(update).where("refund_id", "=", refund.refund_id).execute();
  return { ...refund, ...update };
}

async function applySubscriptionAction(
  context: WriteContext,
  { subscription_id }: TransactionRow,
  refund: RefundRow,
): Promise<void> {
  if (subscription_id === null) return;
  const subscription = await readSubscription(context.database, subscription_id);
  const action = refund.subscription_action;
  if (action === "cancel" && unendedStatuses.includes(subscription.status))
    await cancelSubscription(context, subscription);
  if (action === "pause" && subscription.status === "active") await pauseSubscription(context, subscription);
}
