import type { Clock } from "@tillkit/core";
import { topicEnum, type WebhookSubscriptions } from "../admin/webhook-subscriptions.ts";
import { type ConnectedApp, urlOf } from "../senders/connected-app.ts";
import type { WebhookSender } from "../senders/webhook-sender.ts";
import type { SimulatedShop } from "./simulated-shop.ts";

/** Returns the function that sends a webhook to the subscriptions of the app's toml file and of the Admin API. */
export function createWebhookBroadcast(shop: {
  readonly domain: string;
  readonly clock: Clock;
  readonly webhooks: WebhookSender;
  readonly subscriptions: WebhookSubscriptions;
  connection(): { readonly app: ConnectedApp };
}): SimulatedShop["sendWebhook"] {
  const { domain, clock, webhooks, subscriptions, connection } = shop;
  return function sendWebhook(topic, payload, triggeredAt = clock.now()) {
    const { app } = connection();
    const fromAppFile = app.webhooks?.topics.includes(topic) ? [urlOf(app, app.webhooks.url)] : [];
    const fromApi = subscriptions.all.filter((subscription) => subscription.topic === topicEnum(topic));
    const webhook = { topic, shop: domain, triggeredAt, payload };
    return [
      ...fromAppFile.map((url) => webhooks.send({ ...webhook, url })),
      ...fromApi.map(({ id, uri }) =>
        // Shopify deletes a subscription of the API when it gives up one of its webhooks.
        webhooks.send({ ...webhook, url: uri, onGivenUp: () => void subscriptions.remove(id) }),
      ),
    ];
  };
}
