import { codeOf } from "@tillkit/core";
import type { Desk } from "../app/desk.ts";
import { PATHS } from "../app/paths.ts";
import { createWebhook, listWebhooks, type WebhookPage } from "../graphql/admin-operations.ts";
import { firstError } from "../graphql/operation.ts";
import { subscribedTopics, type Topic } from "./topics.ts";

/**
 * Subscribes to what is missing, where the configuration asks for it because the app's toml file is not deployed: Shopify takes
 * away a subscription whose deliveries failed too often. What cannot be done now is done at the next daily round.
 */
export async function registerWebhooks(desk: Desk, shop: string): Promise<void> {
  const { config, graphql, log } = desk;
  if (config.app.mode !== "order" || !config.app.registerWebhooks) return;
  const uri = `${config.publicUrl}${PATHS.webhooks}`;
  try {
    const known = await topicsAt(desk, shop, uri);
    for (const topic of subscribedTopics(config.app.mode)
      .map(enumName)
      .filter((name) => !known.has(name))) {
      const { userErrors } = await graphql.call(shop, createWebhook, { topic, uri });
      if (userErrors.length > 0)
        log.warn("shopify.webhook_not_registered", { storeId: shop, topic, reason: firstError(userErrors) });
    }
  } catch (error) {
    log.warn("shopify.webhook_not_registered", { storeId: shop, code: codeOf(error) });
  }
}

async function topicsAt({ graphql }: Desk, shop: string, uri: string): Promise<ReadonlySet<string>> {
  const topics = new Set<string>();
  for (let after: string | null = null; ; ) {
    const { nodes, pageInfo }: WebhookPage = await graphql.call(shop, listWebhooks, { after });
    for (const node of nodes) if (node.uri === uri) topics.add(node.topic);
    if (!pageInfo.hasNextPage || !pageInfo.endCursor) return topics;
    after = pageInfo.endCursor;
  }
}

/** `ORDERS_CREATE` of `orders/create`. */
function enumName(topic: Topic): string {
  return topic.toUpperCase().replace("/", "_");
}
