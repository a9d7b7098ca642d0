import {
  booleanField,
  enumField,
  type JsonObject,
  type OpenEnum,
  objectField,
  stringField,
  timeField,
  unwrapObject,
} from "./json-fields.ts";

export type SubscriptionStatus = "pending" | "active" | "past_due" | "cancelled" | "trial" | "paused" | "expired";

/**
 * A subscription as an event carries it (API.md#events); the API has no call that returns a subscription. Fields missing from
 * the event are undefined. Times are in milliseconds since 1970.
 */
export type Subscription = {
  readonly id: string;
  readonly customerId?: string | undefined;
  readonly productId?: string | undefined;
  readonly priceId?: string | undefined;
  readonly status?: OpenEnum<SubscriptionStatus> | undefined;
  readonly planName?: string | undefined;
  readonly billingInterval?: OpenEnum<"day" | "week" | "month" | "year"> | undefined;
  /** The subscription ends at the end of the period that is paid already. */
  readonly cancelAtPeriodEnd?: boolean | undefined;
  readonly startDate?: number | undefined;
  readonly endDate?: number | undefined;
  readonly nextBillingDate?: number | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
};

/** Null without a subscription ID. */
export function parseSubscription(resource: unknown): Subscription | null {
  const fields = unwrapObject(resource, ["subscription_id"]);
  const id = fields && stringField(fields, "subscription_id");
  if (!fields || !id) return null;
  return {
    id,
    customerId: stringField(fields, "customer_id"),
    productId: stringField(fields, "product_id"),
    priceId: stringField(fields, "price_id"),
    status: enumField(fields, "status"),
    planName: stringField(fields, "plan_name"),
    billingInterval: enumField(fields, "billing_interval"),
    cancelAtPeriodEnd: booleanField(fields, "cancel_at_period_end"),
    startDate: timeField(fields, "start_date"),
    endDate: timeField(fields, "end_date"),
    nextBillingDate: timeField(fields, "next_billing_date"),
    metadata: objectField(fields, "metadata"),
    environment: enumField(fields, "environment"),
    createdAt: timeField(fields, "created_at"),
    updatedAt: timeField(fields, "updated_at"),
  };
}
