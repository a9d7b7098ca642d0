import { randomUUID } from "node:crypto";
import type { Clock } from "@tillkit/core";
import type { ShopifyVersion } from "../graphql/schemas.ts";
import { signWebhookBody } from "../oauth/signatures.ts";

/** One webhook. Its bytes never change, even when the order changes before the delivery. */
export type WebhookDelivery = {
  readonly id: string;
  readonly eventId: string;
  readonly topic: string;
  readonly shop: string;
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly triggeredAt: number;
  readonly statuses: number[];
  /** `lost`: Shopify never sends it. */
  state: "held" | "sending" | "delivered" | "given-up" | "lost";
};

export type WebhookSender = {
  readonly deliveries: readonly WebhookDelivery[];
  /** Adds a delivery. Unless deliveries are held, the delivery is sent now and retried on Shopify's schedule. */
  send(
    input: Pick<WebhookDelivery, "topic" | "shop" | "url" | "triggeredAt"> & {
      readonly payload: object;
      onGivenUp?(): void;
    },
  ): WebhookDelivery;
  /** Holds new deliveries until `release`. */
  hold(): void;
  /** From now on the deliveries of these topics are lost: they are never sent. No topic ends it. */
  lose(...topics: readonly string[]): void;
  /** Sends the held deliveries one after the other, in the given order of ids, and stops holding. */
  release(order?: readonly string[]): Promise<void>;
  /** Sends the same bytes again under the same ids and returns the status. */
  resend(delivery: WebhookDelivery): Promise<number>;
  /** Resolves when no request is in progress. Deliveries that wait for a retry do not count. */
  settled(): Promise<void>;
  close(): void;
};

/** Eight retries with doubling waits. The last wait is shorter, so that all waits make four hours. */
const RETRY_WAITS_MS = [1, 2, 4, 8, 16, 32, 64, 113].map((minutes) => minutes * 60_000);
/** How long Shopify waits for a response, in real time. */
const TIMEOUT_MS = 5_000;

export function createWebhookSender(options: {
  readonly clock: Clock;
  readonly secret: string;
  readonly version: ShopifyVersion;
}): WebhookSender {
  const { clock, secret, version } = options;
  const deliveries: WebhookDelivery[] = [];
  const abortController = new AbortController();
  const onGivenUpByDelivery = new Map<WebhookDelivery, () => void>();
  const inProgress = new Set<Promise<unknown>>();
  let isHolding = false;
  let lostTopics: readonly string[] = [];

  async function attempt(delivery: WebhookDelivery): Promise<number> {
    const request = post(delivery, secret, version, abortController.signal);
    inProgress.add(request);
    const status = await request.finally(() => inProgress.delete(request));
    delivery.statuses.push(status);
    if (isAccepted(status)) delivery.state = "delivered";
    return status;
  }

  async function deliver(delivery: WebhookDelivery): Promise<void> {
    delivery.state = "sending";
    if (isAccepted(await attempt(delivery))) return;
    void retry(delivery).catch(() => undefined);
  }

  async function retry(delivery: WebhookDelivery): Promise<void> {
    for (const waitMs of RETRY_WAITS_MS) {
      await clock.sleep(waitMs, abortController.signal);
      if (isAccepted(await attempt(delivery))) return;
    }
    delivery.state = "given-up";
    onGivenUpByDelivery.get(delivery)?.();
  }

  return {
    deliveries,
    send({ topic, shop, url, triggeredAt, payload, onGivenUp }) {
      const delivery: WebhookDelivery = {
        id: randomUUID(),
        eventId: randomUUID(),
        topic,
        shop,
        url,
        triggeredAt,
        bytes: Buffer.from(JSON.stringify(payload)),
        statuses: [],
        state: lostTopics.includes(topic) ? "lost" : "held",
      };
      deliveries.push(delivery);
      if (onGivenUp) onGivenUpByDelivery.set(delivery, onGivenUp);
      if (!isHolding && delivery.state !== "lost") void deliver(delivery).catch(() => undefined);
      return delivery;
    },
    hold() {
      isHolding = true;
    },
    lose(...topics) {
      lostTopics = topics;
    },
    async release(order) {
      isHolding = false;
      const held = deliveries.filter(({ state }) => state === "held");
      const ordered = order ? order.flatMap((id) => held.filter((delivery) => delivery.id === id)) : held;
      for (const delivery of ordered) await deliver(delivery);
    },
    resend: attempt,
    async settled() {
      while (inProgress.size > 0) await Promise.allSettled([...inProgress]);
      // Callers that wait for the last response continue before this promise resolves.
      await new Promise((resolve) => setImmediate(resolve));
    },
    close: () => abortController.abort(),
  };
}

function isAccepted(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Returns the status of the response, or 0 without a response. */
async function post(
  delivery: WebhookDelivery,
  secret: string,
  version: ShopifyVersion,
  signal: AbortSignal,
): Promise<number> {
  const { url, topic, shop, bytes, id, eventId, triggeredAt } = delivery;
  try {
    const response = await fetch(url, {
      method: "POST",
      body: Buffer.from(bytes),
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        "Content-Type": "application/json",
        "X-Shopify-Topic": topic,
        "X-Shopify-Hmac-Sha256": signWebhookBody(bytes, secret),
        "X-Shopify-Shop-Domain": shop,
        "X-Shopify-API-Version": version,
        "X-Shopify-Webhook-Id": id,
        "X-Shopify-Event-Id": eventId,
        "X-Shopify-Triggered-At": new Date(triggeredAt).toISOString(),
      },
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
