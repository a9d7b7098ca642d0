/** The service's API, "Events". `test.webhook` is sent by the test route only. */
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

/** What a shop wants to hear of: payments, refunds and disputes. Register a webhook for these. */
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
