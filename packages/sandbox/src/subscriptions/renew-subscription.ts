import { creditPayment } from "../balances/balances.ts";
import { calculateFee } from "../domain/fees.ts";
import { failureMessages, methodCodes } from "../domain/payment-methods.ts";
import { emitPaymentEvent } from "../payments/payment-events.ts";
import { insertTransaction } from "../payments/transactions.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { nextBillingDate } from "./billing-dates.ts";
import { endAtRenewal } from "./end-subscription.ts";
import { assertStatus, emitSubscriptionEvent, saveUpdate, updateAndEmit } from "./subscription-updates.ts";

/**
 * Ends the current period. A successful payment renews the subscription (SUBSCRIPTION_RENEWED). A failed payment makes the
 * subscription past due (PAYMENT_FAILED). A subscription that ends with the period is cancelled or expires instead.
 * @throws ApiError `conflict`
 */
export async function renewSubscription(
  context: WriteContext,
  subscription: SubscriptionRow,
  outcome: "completed" | "failed",
): Promise<SubscriptionRow> {
  assertStatus(subscription, ["active", "trial", "past_due"], "renewed");
  const ended = await endAtRenewal(context, subscription);
  if (ended !== null) return ended;
  const payment = await recordRenewalPayment(context, subscription, outcome);
  if (payment.status === "failed") {
    await emitPaymentEvent(context, "PAYMENT_FAILED", payment);
    return updateAndEmit(context, subscription, { status: "past_due" }, "cron");
  }
  await creditPayment(context, payment);
  const { next_billing_date, start_date, billing_interval } = subscription;
  const renewed = await saveUpdate(context, subscription, {
    status: "active",
    next_billing_date: nextBillingDate(next_billing_date ?? start_date, billing_interval, start_date),
  });
  await emitSubscriptionEvent(context, "SUBSCRIPTION_RENEWED", renewed);
  return renewed;
}

/** Records the transaction of a renewal. A successful renewal emits SUBSCRIPTION_RENEWED only, and no payment event. */
function recordRenewalPayment(
  context: WriteContext,
  subscription: SubscriptionRow,
  outcome: "completed" | "failed",
): Promise<TransactionRow> {
  const { amount, plan_name, subscription_id, customer_id, organization_id, environment } = subscription;
  const fee = outcome === "completed" ? calculateFee(amount, context.service.settings.feeBps) : 0;
  return insertTransaction(context, {
    organization_id,
    environment,
    membership_id: null,
    account: null,
    customer_id,
    subscription_id,
    status: outcome,
    ...methodCodes.card,
    description: plan_name,
    gross_amount: amount,
    fee_amount: fee,
    net_amount: outcome === "completed" ? amount - fee : 0,
    currency_code: subscription.currency_code,
    metadata_json: subscription.metadata_json,
    ...(outcome === "failed" ? { failure_code: "card_declined", failure_message: failureMessages.card_declined } : {}),
  });
}
