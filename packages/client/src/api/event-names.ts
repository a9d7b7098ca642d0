/** Names of all events (API.md#events). The service sends `test.webhook` only when `webhooks.test` asks for it. */
export const EVENT_NAMES = [
  "PAYMENT_CREATED",
  "PAYMENT_SUCCEEDED",
  "PAYMENT_FAILED",
  "SUBSCRIPTION_CREATED",
  "SUBSCRIPTION_UPDATED",
  "SUBSCRIPTION_RENEWED",
  "SUBSCRIPTION_CANCELLED",
  "REFUND_CREATED",
  "REFUND_COMPLETED",
  "REFUND_FAILED",
  "DISPUTE_CREATED",
  "DISPUTE_UPDATED",
  "DISPUTE_CLOSED",
  "test.webhook",
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** The events that a checkout processes: payments, refunds and disputes. Register a webhook endpoint for these. */
export const CHECKOUT_EVENTS = [
  "PAYMENT_CREATED",
  "PAYMENT_SUCCEEDED",
  "PAYMENT_FAILED",
  "REFUND_COMPLETED",
  "REFUND_FAILED",
  "DISPUTE_CREATED",
  "DISPUTE_UPDATED",
  "DISPUTE_CLOSED",
] as const satisfies readonly EventName[];
