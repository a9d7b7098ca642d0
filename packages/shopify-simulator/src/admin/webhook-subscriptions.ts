import type { Clock } from "@tillkit/core";
import { connection } from "../graphql/connection.ts";
import type { RootResolvers } from "../graphql/graphql-operation.ts";
import { dateTime, legacyResourceId } from "../graphql/scalars.ts";

export type WebhookSubscription = {
  readonly id: string;
  /** The GraphQL name: `ORDERS_CREATE`. */
  readonly topic: string;
  uri: string;
  readonly createdAt: number;
};

/** The subscriptions that an app made through the Admin API. The subscriptions of the app's toml file are in `ConnectedApp`. */
export type WebhookSubscriptions = {
  readonly all: readonly WebhookSubscription[];
  /** Null if the same subscription exists. */
  add(topic: string, uri: string, now: number): WebhookSubscription | null;
  remove(id: string): boolean;
  clear(): void;
};

export function createWebhookSubscriptions(): WebhookSubscriptions {
  let all: readonly WebhookSubscription[] = [];
  let count = 0;
  return {
    get all() {
      return all;
    },
    add(topic, uri, now) {
      if (all.some((other) => other.topic === topic && other.uri === uri)) return null;
      count += 1;
      const subscription = { id: `gid://shopify/WebhookSubscription/${count}`, topic, uri, createdAt: now };
      all = [...all, subscription];
      return subscription;
    },
    remove(id) {
      const before = all.length;
      all = all.filter((other) => other.id !== id);
      return all.length < before;
    },
    clear() {
      all = [];
    },
  };
}

/** The GraphQL name of a topic: `ORDERS_CREATE` for `orders/create`. */
export function topicEnum(topic: string): string {
  return topic.toUpperCase().replace("/", "_");
}

type SubscriptionInput = { readonly uri?: string | null; readonly callbackUrl?: string | null };

export function subscriptionResolvers(subscriptions: WebhookSubscriptions, clock: Clock): RootResolvers {
  const notFound = { field: ["id"], message: "Webhook subscription does not exist" };
  return {
    webhookSubscriptions: ({ topics, uri }: { topics?: readonly string[] | null; uri?: string | null }) =>
      connection(
        subscriptions.all
          .filter(({ topic }) => !topics || topics.includes(topic))
          .filter((subscription) => !uri || subscription.uri === uri)
          .map(subscriptionObject),
      ),
    webhookSubscriptionCreate: (args: { topic: string; webhookSubscription: SubscriptionInput }) => {
      const uri = args.webhookSubscription.uri ?? args.webhookSubscription.callbackUrl ?? "";
      const refuse = (field: string, message: string) => ({
        webhookSubscription: null,
        userErrors: [{ field: ["webhookSubscription", field], message }],
      });
      if (!isUrl(uri)) return refuse("uri", "Address is invalid");
      const created = subscriptions.add(args.topic, uri, clock.now());
      if (!created) return refuse("uri", "Address for this topic has already been taken");
      return { webhookSubscription: subscriptionObject(created), userErrors: [] };
    },
    webhookSubscriptionUpdate: ({
      id,
      webhookSubscription,
    }: {
      id: string;
      webhookSubscription: SubscriptionInput;
    }) => {
      const found = subscriptions.all.find((subscription) => subscription.id === id);
      if (!found) return { webhookSubscription: null, userErrors: [notFound] };
      found.uri = webhookSubscription.uri ?? webhookSubscription.callbackUrl ?? found.uri;
      return { webhookSubscription: subscriptionObject(found), userErrors: [] };
    },
    webhookSubscriptionDelete: ({ id }: { id: string }) =>
      subscriptions.remove(id)
        ? { deletedWebhookSubscriptionId: id, userErrors: [] }
        : { deletedWebhookSubscriptionId: null, userErrors: [notFound] },
  };
}

function subscriptionObject({ id, topic, uri, createdAt }: WebhookSubscription) {
  const at = dateTime(createdAt);
  return {
    __typename: "WebhookSubscription",
    id,
    topic,
    uri,
    callbackUrl: uri,
    endpoint: { __typename: "WebhookHttpEndpoint", callbackUrl: uri },
    format: "JSON",
    filter: null,
    includeFields: [],
    metafieldNamespaces: [],
    name: null,
    createdAt: at,
    updatedAt: at,
    legacyResourceId: legacyResourceId(id),
  };
}

function isUrl(text: string): boolean {
  try {
    return new URL(text).protocol !== "";
  } catch {
    return false;
  }
}
