import type { EventName } from "@tillkit/client/webhooks";

const transactionFields = [
  "transaction_id",
  "public_id",
  "organization_id",
  "customer_id",
  "checkout_session_id",
  "transaction_type",
  "status",
  "description",
  "quantity",
  "gross_amount",
  "discount_amount",
  "fee_amount",
  "net_amount",
  "refunded_amount",
  "currency_code",
  "provider_code",
  "payment_method_code",
  "product_id",
  "price_id",
  "subscription_id",
  "metadata",
  "environment",
  "created_at",
  "updated_at",
] as const;

const subscriptionFields = [
  "subscription_id",
  "organization_id",
  "customer_id",
  "product_id",
  "price_id",
  "status",
  "start_date",
  "end_date",
  "next_billing_date",
  "plan_name",
  "billing_interval",
  "cancel_at_period_end",
  "metadata",
  "environment",
  "created_at",
  "updated_at",
] as const;

const refundFields = [
  "refund_id",
  "transaction_id",
  "checkout_session_id",
  "amount",
  "refunded_amount",
  "fee_amount",
  "currency_code",
  "reason",
  "status",
  "metadata",
  "organization_id",
  "environment",
  "created_at",
  "updated_at",
] as const;

const disputeFields = [
  "dispute_id",
  "transaction_id",
  "customer_id",
  "organization_id",
  "amount",
  "currency_code",
  "reason",
  "status",
  "outcome",
  "evidence_due_by",
  "metadata",
  "environment",
  "created_at",
  "updated_at",
] as const;

/** The fields of `data.object` and `data.previous_attributes` in SUBSCRIPTION_UPDATED. */
export const changedSubscriptionFields = [
  "subscription_id",
  "status",
  "price_id",
  "cancel_at_period_end",
  "next_billing_date",
  "plan_name",
  "billing_interval",
] as const;

/** The fields of `data.context` in SUBSCRIPTION_UPDATED. */
export const contextFields = ["source", "actor"] as const;

/** The fields of `data.object` in `test.webhook`. */
export const testFields = [
  "id",
  "organization_id",
  "test",
  "created",
  "status",
  "amount",
  "currency",
  "description",
  "metadata",
] as const;

/** Names and order of the fields of `data` for each event. SUBSCRIPTION_UPDATED and test.webhook have a `data.object` instead. */
export const eventFields: Record<Exclude<EventName, "SUBSCRIPTION_UPDATED" | "test.webhook">, readonly string[]> = {
  PAYMENT_CREATED: transactionFields,
  PAYMENT_SUCCEEDED: transactionFields,
  PAYMENT_FAILED: [...transactionFields, "failure_code", "failure_message"],
  SUBSCRIPTION_CREATED: subscriptionFields,
  SUBSCRIPTION_RENEWED: subscriptionFields,
  SUBSCRIPTION_CANCELLED: subscriptionFields,
  REFUND_CREATED: refundFields,
  REFUND_COMPLETED: refundFields,
  REFUND_FAILED: [...refundFields, "failure_message"],
  DISPUTE_CREATED: disputeFields,
  DISPUTE_UPDATED: disputeFields,
  DISPUTE_CLOSED: disputeFields,
};
