import { conflict } from "../domain/api-error.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";
import { emitEvent } from "../webhooks/events.ts";
import { subscriptionJson } from "./subscriptions.ts";

/** Who requested an update: the merchant, the customer in the portal of the service, or the service itself. */
export const updateSources = ["merchant_api", "customer_portal", "cron"] as const;
export type UpdateSource = (typeof updateSources)[number];

const actors: Record<UpdateSource, string> = { merchant_api: "merchant", customer_portal: "customer", cron: "system" };

export type SubscriptionUpdate = Partial<
  Pick<
    SubscriptionRow,
    | "status"
    | "amount"
    | "price_id"
    | "plan_name"
    | "billing_interval"
    | "end_date"
    | "next_billing_date"
    | "cancel_at_period_end"
  >
>;

/** Saves a change and emits SUBSCRIPTION_UPDATED with the previous values. An update that changes nothing emits no event. */
export async function updateAndEmit(
  context: WriteContext,
  subscription: SubscriptionRow,
  update: SubscriptionUpdate,
  source: UpdateSource,
): Promise<SubscriptionRow> {
  const names = Object.keys(update) as (keyof SubscriptionUpdate)[];
  if (names.every((name) => update[name] === subscription[name])) return subscription;
  const updated = await saveUpdate(context, subscription, update);
  const object = subscriptionJson(updated);
  const before = subscriptionJson(subscription);
  const changed = names.filter((name) => object[name] !== before[name]);
  await emitEvent(context, "SUBSCRIPTION_UPDATED", eventSubject(updated), {
    object,
    previous_attributes: Object.fromEntries(changed.map((name) => [name, before[name]])),
    context: { source, actor: actors[source] },
  });
  return updated;
}

export async function saveUpdate(
  context: WriteContext,
  subscription: SubscriptionRow,
  update: SubscriptionUpdate,
): Promise<SubscriptionRow> {
  const next = { ...subscription, ...update, updated_at: context.now };
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

/** @throws ApiError `conflict` with the id and status of the subscription */
export function assertStatus(
  { subscription_id, status }: SubscriptionRow,
  from: readonly SubscriptionRow["status"][],
  to: string,
): void {
  if (from.includes(status)) return;
  throw conflict(`A subscription that is ${status} cannot be ${to}`, { subscription_id, status });
}

function eventSubject({ organization_id, environment }: SubscriptionRow) {
  return { organization_id, environment, session_id: null, transaction_id: null, membership_id: null, account: null };
}
