import type { AppMode } from "./config-schema.ts";

/** Shopify sends these to every app. They are declared in the app's toml file and cannot be subscribed to by API. */
export const COMPLIANCE_TOPICS = ["customers/data_request", "customers/redact", "shop/redact"] as const;

const SUBSCRIBED_TOPICS = {
  offsite: ["app/uninstalled"],
  order: ["app/uninstalled", "orders/create", "orders/updated", "orders/cancelled", "refunds/create"],
} as const satisfies Readonly<Record<AppMode, readonly string[]>>;

export type WebhookTopic = (typeof COMPLIANCE_TOPICS)[number] | (typeof SUBSCRIBED_TOPICS)[AppMode][number];

/** The webhook topics that the app subscribes to. */
export function subscribedTopics(mode: AppMode): readonly WebhookTopic[] {
  return SUBSCRIBED_TOPICS[mode];
}
