import { notFound } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import { belongsTo, type Owner, withoutDelegation } from "../organizations/owner.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";

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

/**
 * Checks the subscription that a charge or checkout session names. It must belong to the same merchant and environment, and can
 * have any status. An Operator can name each subscription of the merchant, also those that it is not allowed to read.
 * @returns the ID as the row has it; null when the request names no subscription
 * @throws ApiError `not_found`
 */
export async function checkNamedSubscription(
  database: SandboxDatabase,
  owner: Owner,
  namedId: string | undefined,
): Promise<string | null> {
  if (namedId === undefined) return null;
  return (await readSubscription(database, namedId, withoutDelegation(owner))).subscription_id;
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
