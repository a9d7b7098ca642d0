import { ApiError, notFound } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import { belongsTo, type Owner } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import { emitEvent } from "../webhooks/events.ts";

type NewSubscription = Omit<SubscriptionRow, "subscription_id" | "created_at" | "updated_at">;
type SubscriptionUpdate = Partial<
  Pick<SubscriptionRow, "status" | "end_date" | "next_billing_date" | "cancel_at_period_end">
>;
type Source = "merchant_api" | "customer_portal" | "cron";

/** Creates a subscription and emits SUBSCRIPTION_CREATED. */
export async function createSubscription(context: WriteContext, given: NewSubscription): Promise<SubscriptionRow> {
  const row: SubscriptionRow = {
    ...given,
    subscription_id: context.service.ids.uuid(),
    created_at: context.now,
    updated_at: context.now,
  };
  await context.database.insertInto("subscriptions").values(row).execute();
  await emitSubscriptionEvent(context, "SUBSCRIPTION_CREATED", row);
  return row;
}

/** active → paused, with SUBSCRIPTION_UPDATED. @throws ApiError `conflict` */
export function pauseSubscription(context: WriteContext, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  assertStatus(subscription, ["active", "trial", "past_due"], "paused");
  return updateAndEmit(context, subscription, { status: "paused" }, "merchant_api");
}

/** paused → active, with SUBSCRIPTION_UPDATED. @throws ApiError `conflict` */
export function resumeSubscription(context: WriteContext, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  assertStatus(subscription, ["paused"], "active");
  return updateAndEmit(context, subscription, { status: "active" }, "merchant_api");
}

/**
 * Cancels at once with SUBSCRIPTION_CANCELLED, or at the end of the paid period with SUBSCRIPTION_UPDATED.
 * @throws ApiError `conflict`
 */
export function cancelSubscription(
  context: WriteContext,
  subscription: SubscriptionRow,
  atPeriodEnd = false,
): Promise<SubscriptionRow> {
  assertStatus(subscription, cancellableStatuses, "cancelled");
  if (atPeriodEnd) return updateAndEmit(context, subscription, { cancel_at_period_end: 1 }, "merchant_api");
  return endNow(context, subscription);
}

/** @throws ApiError `not_found`, also for the subscription of another merchant or environment */
export async function readSubscription(
  database: SandboxDatabase,
  subscriptionId: string,
  owner?: Owner,
): Promise<SubscriptionRow> {
  const row = await database
    .selectFrom("subscriptions")
    .selectAll()
    .where("subscription_id", "=", subscriptionId.toLowerCase())
    .executeTakeFirst();
  if (row === undefined || (owner !== undefined && !belongsTo(row, owner))) throw notFound("Subscription");
  return row;
}

/** The subscription as events contain it. */
export function subscriptionJson(row: SubscriptionRow): Record<string, unknown> {
  return {
    subscription_id: row.subscription_id,
    organization_id: row.organization_id,
    customer_id: row.customer_id,
    product_id: row.product_id,
    price_id: row.price_id,
    status: row.status,
    start_date: row.start_date,
    end_date: row.end_date,
    next_billing_date: row.next_billing_date,
    plan_name: row.plan_name,
    billing_interval: row.billing_interval,
    cancel_at_period_end: row.cancel_at_period_end === 1,
    metadata: JSON.parse(row.metadata_json),
    environment: row.environment,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** Subscriptions in these statuses can be cancelled. */
export const cancellableStatuses: readonly SubscriptionRow["status"][] = [
  "pending",
  "active",
  "past_due",
  "trial",
  "paused",
];

export async function endNow(context: WriteContext, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  const ended = await saveUpdate(context, subscription, {
    status: "cancelled",
    end_date: isoTime(context.now).slice(0, 10),
    next_billing_date: null,
    cancel_at_period_end: 0,
  });
  await emitSubscriptionEvent(context, "SUBSCRIPTION_CANCELLED", ended);
  return ended;
}

/** Saves a change and emits SUBSCRIPTION_UPDATED with the previous values. */
export async function updateAndEmit(
  context: WriteContext,
  subscription: SubscriptionRow,
  step: SubscriptionUpdate,
  source: Source,
): Promise<SubscriptionRow> {
  const updated = await saveUpdate(context, subscription, step);
  const object = subscriptionJson(updated);
  const before = subscriptionJson(subscription);
  const changed = Object.keys(step).filter((name) => object[name] !== before[name]);
  await emitEvent(context, "SUBSCRIPTION_UPDATED", eventSubject(updated), {
    object,
    previous_attributes: Object.fromEntries(changed.map((name) => [name, before[name]])),
    context: { source, actor: source === "merchant_api" ? "merchant" : "system" },
  });
  return updated;
}

export async function saveUpdate(
  context: WriteContext,
  subscription: SubscriptionRow,
  step: SubscriptionUpdate,
): Promise<SubscriptionRow> {
  const next = { ...subscription, ...step, updated_at: context.now };
  await context.database
    .updateTable("subscriptions")
    .set(next)
    .where("subscription_id", "=", subscription.subscription_id)
    .execute();
  return next;
}

export function emitSubscriptionEvent(
  context: WriteContext,
  event: "SUBSCRIPTION_CREATED" | "SUBSCRIPTION_RENEWED" | "SUBSCRIPTION_CANCELLED",
  subscription: SubscriptionRow,
): Promise<void> {
  return emitEvent(context, event, eventSubject(subscription), subscriptionJson(subscription));
}

function eventSubject({ organization_id, environment }: SubscriptionRow) {
  const none = { session_id: null, transaction_id: null, membership_id: null, account: null };
  return { organization_id, environment, ...none };
}

export function assertStatus(
  subscription: SubscriptionRow,
  from: readonly SubscriptionRow["status"][],
  to: string,
): void {
  if (from.includes(subscription.status)) return;
  throw new ApiError("conflict", `A subscription that is ${subscription.status} cannot be ${to}`);
}
