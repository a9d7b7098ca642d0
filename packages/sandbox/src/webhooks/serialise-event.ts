import type { EventName } from "@tillkit/client/webhooks";

/** The values of one event; the order of their fields does not matter, `serialiseEvent` knows it. */
export type EventValues = {
  id: string;
  event: EventName;
  timestamp: string;
  data: Record<string, unknown>;
  serviceEnvironment: string;
};

/** The body of a delivery: the service's API pins names and order of the fields, so that the bytes are known. */
export function serialiseEvent({ id, event, timestamp, data, serviceEnvironment }: EventValues): string {
  return JSON.stringify({
    id,
    event,
    timestamp,
    data: inOrder(data, event === "PAYMENT_FAILED" ? failedTransactionFields : transactionFields),
    service_environment: serviceEnvironment,
  });
}

/** `test.webhook` has an envelope of its own, with both names of kind and time. */
export function serialiseTestEvent(
  values: Omit<EventValues, "event"> & { webhookId: string; livemode: boolean },
): string {
  const { id, timestamp, data, webhookId, livemode, serviceEnvironment } = values;
  return JSON.stringify({
    id,
    event: "test.webhook",
    type: "test.webhook",
    timestamp,
    created: timestamp,
    data: { object: inOrder(data, testFields) },
    livemode,
    webhook_id: webhookId,
    service_environment: serviceEnvironment,
  });
}

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

const failedTransactionFields = [...transactionFields, "failure_code", "failure_message"] as const;

const testFields = [
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

/** Exactly these fields: what is internal never leaves, what is missing (a thin event) stays missing. */
function inOrder(values: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter((field) => field in values).map((field) => [field, values[field]]));
}
