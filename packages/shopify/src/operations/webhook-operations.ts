import { z } from "zod";
import { userErrors } from "../shopify-api/operation.ts";
import { adminOperation } from "./admin-operation.ts";

const subscriptionPage = z.object({
  nodes: z.array(z.object({ topic: z.string(), uri: z.string() })),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
});

export type SubscriptionPage = z.output<typeof subscriptionPage>;

export const listWebhookSubscriptions = adminOperation(
  "WebhooksList",
  `query WebhooksList($after: String) {
  webhookSubscriptions(first: 100, after: $after) {
    nodes { topic uri }
    pageInfo { hasNextPage endCursor }
  }
}`,
  z.object({ webhookSubscriptions: subscriptionPage }).transform((data) => data.webhookSubscriptions),
);

export const createWebhookSubscription = adminOperation(
  "WebhookCreate",
  `mutation WebhookCreate($topic: WebhookSubscriptionTopic!, $uri: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, format: JSON }) {
    webhookSubscription { id }
    userErrors { field message }
  }
}`,
  z.object({ webhookSubscriptionCreate: z.object({ userErrors }) }).transform((data) => data.webhookSubscriptionCreate),
);
