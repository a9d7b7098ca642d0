import { codeOf } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { PATHS } from "../config/paths.ts";
import { subscribedTopics, type WebhookTopic } from "../config/webhook-topics.ts";
import {
  createWebhookSubscription,
  listWebhookSubscriptions,
  type SubscriptionPage,
} from "../operations/webhook-operations.ts";
import { describeUserErrors } from "../shopify-api/operation.ts";

/**
 * Creates the webhook subscriptions that are missing, if the configuration sets `app.registerWebhooks`. An app that is deployed
 * with its toml file does not need this: Shopify then creates the subscriptions of that file. Shopify deletes a subscription whose
 * deliveries fail repeatedly, so the daily task calls this too.
 */
export async function registerWebhooks(context: AppContext, shop: string): Promise<void> {
  const { config, graphql, log } = context;
  if (config.app.mode !== "order" || !config.app.registerWebhooks) return;
  const uri = `${config.publicUrl}${PATHS.webhooks}`;
  try {
    const existing = await listTopics(context, shop, uri);
    for (const topic of subscribedTopics("order").map(topicEnum)) {
      if (existing.has(topic)) continue;
      const { userErrors } = await graphql.call(shop, createWebhookSubscription, { topic, uri });
      if (userErrors.length > 0) {
        const reason = describeUserErrors(userErrors);
        log.warn("shopify.webhook_not_registered", { storeId: shop, topic, reason });
      }
    }
  } catch (error) {
    log.warn("shopify.webhook_not_registered", { storeId: shop, code: codeOf(error) });
  }
}

async function listTopics({ graphql }: AppContext, shop: string, uri: string): Promise<ReadonlySet<string>> {
  const topics = new Set<string>();
  let after: string | null = null;
  do {
    const { nodes, pageInfo }: SubscriptionPage = await graphql.call(shop, listWebhookSubscriptions, { after });
    for (const node of nodes) if (node.uri === uri) topics.add(node.topic);
    after = (pageInfo.hasNextPage && pageInfo.endCursor) || null;
  } while (after !== null);
  return topics;
}

/** The GraphQL name of a topic: `ORDERS_CREATE` for `orders/create`. */
function topicEnum(topic: WebhookTopic): string {
  return topic.toUpperCase().replace("/", "_");
}
