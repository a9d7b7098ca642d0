import type { WriteContext } from "../runtime/service.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";
import { unendedStatuses } from "./end-subscription.ts";
import { assertStatus, type UpdateSource, updateAndEmit } from "./subscription-updates.ts";

/** The amount is in the unit of the subscription's currency. Omitted fields keep their values. */
export type PlanChange = {
  price_id?: string | undefined;
  amount?: number | undefined;
  plan_name?: string | undefined;
  billing_interval?: SubscriptionRow["billing_interval"] | undefined;
};

/** active, trial or past_due → paused, with SUBSCRIPTION_UPDATED. @throws ApiError `conflict` */
export function pauseSubscription(
  context: WriteContext,
  subscription: SubscriptionRow,
  source: UpdateSource = "merchant_api",
): Promise<SubscriptionRow> {
  assertStatus(subscription, ["active", "trial", "past_due"], "paused");
  return updateAndEmit(context, subscription, { status: "paused" }, source);
}

/** paused → active, with SUBSCRIPTION_UPDATED. @throws ApiError `conflict` */
export function resumeSubscription(
  context: WriteContext,
  subscription: SubscriptionRow,
  source: UpdateSource = "merchant_api",
): Promise<SubscriptionRow> {
  assertStatus(subscription, ["paused"], "active");
  return updateAndEmit(context, subscription, { status: "active" }, source);
}

/**
 * Changes price, plan name or interval, with SUBSCRIPTION_UPDATED. The paid period and the next billing date stay. A price
 * has one amount: a new amount without a `price_id` gets a new price.
 * @throws ApiError `conflict` when the subscription has ended
 */
export function changePlan(
  context: WriteContext,
  subscription: SubscriptionRow,
  { price_id, amount, plan_name, billing_interval }: PlanChange,
  source: UpdateSource = "merchant_api",
): Promise<SubscriptionRow> {
  assertStatus(subscription, unendedStatuses, "changed");
  const hasNewAmount = amount !== undefined && amount !== subscription.amount;
  const update = {
    price_id: price_id ?? (hasNewAmount ? context.service.ids.uuid() : subscription.price_id),
    amount: amount ?? subscription.amount,
    plan_name: plan_name ?? subscription.plan_name,
    billing_interval: billing_interval ?? subscription.billing_interval,
  };
  return updateAndEmit(context, subscription, update, source);
}
