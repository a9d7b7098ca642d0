import { createHmac } from "node:crypto";
import { restOrder } from "./rest-shapes.ts";
import type { Shop, ShopOrder } from "./shop.ts";

type Webhook = { readonly url: string; readonly secret: string };

/** WooCommerce's own webhooks (`order.updated`). */
export type ShopWebhooks = {
  /** What the owner enters under Settings, Advanced, Webhooks. Answers the status that the ping got. */
  add(webhook: Webhook): Promise<number>;
  /**
   * Nothing is delivered before WordPress's own timer runs: each changed order once, as it is by then, and never again.
   * Answers the statuses that the deliveries got; 0 is no answer.
   */
  runCron(): Promise<readonly number[]>;
  /** Switched off by WooCommerce, which nobody is told. */
  isDisabled(): boolean;
};

const DISABLED_AFTER = 5;

export function createShopWebhooks(shop: Shop, origin: string): ShopWebhooks {
  const told = new Map<number, number>();
  let registered: Webhook | null = null;
  let failures = 0;

  const isDisabled = () => failures > DISABLED_AFTER;

  async function deliver(order: ShopOrder, { url, secret }: Webhook): Promise<number> {
    const body = JSON.stringify(restOrder(order, shop, origin));
    const signature = createHmac("sha256", secret).update(body).digest("base64");
    const status = await post(url, body, {
      "Content-Type": "application/json",
      "X-WC-Webhook-Topic": "order.updated",
      "X-WC-Webhook-Signature": signature,
    });
    failures = status >= 200 && status < 400 ? 0 : failures + 1;
    return status;
  }

  return {
    async add(webhook) {
      registered = webhook;
      failures = 0;
      // A form, unsigned and without a topic.
      return await post(webhook.url, "webhook_id=1", { "Content-Type": "application/x-www-form-urlencoded" });
    },
    async runCron() {
      const changed = shop.orders().filter(({ id, modifiedAt }) => told.get(id) !== modifiedAt);
      const statuses: number[] = [];
      for (const order of changed) {
        told.set(order.id, order.modifiedAt);
        if (registered !== null && !isDisabled()) statuses.push(await deliver(order, registered));
      }
      return statuses;
    },
    isDisabled,
  };
}

/** 0: nobody answered. */
async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  try {
    const response = await fetch(url, { method: "POST", body, headers });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
