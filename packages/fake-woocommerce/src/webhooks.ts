import { createHmac } from "node:crypto";
import { restOrder } from "./rest-shapes.ts";
import type { Shop, ShopOrder } from "./shop.ts";

type Webhook = { readonly url: string; readonly secret: string };

/** WooCommerce's own webhooks, topic `order.updated`. */
export type ShopWebhooks = {
  /** Registers a webhook as under Settings, Advanced, Webhooks. Returns the status of the ping. */
  add(webhook: Webhook): Promise<number>;
  /**
   * Runs WordPress's cron, which delivers each changed order once, in its present state and without retries. Returns the statuses
   * of the deliveries; 0 means no response.
   */
  runCron(): Promise<readonly number[]>;
  /** WooCommerce disables a webhook after more than five failed deliveries in a row, and tells nobody. */
  isDisabled(): boolean;
};

const TOLERATED_FAILURES = 5;

export function createShopWebhooks(shop: Shop, origin: string): ShopWebhooks {
  /** The time of the newest change that was delivered, by order id. */
  const deliveredChanges = new Map<number, number>();
  let registered: Webhook | null = null;
  let failures = 0;

  const isDisabled = () => failures > TOLERATED_FAILURES;

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
      // The ping is a form, unsigned and without a topic.
      return await post(webhook.url, "webhook_id=1", { "Content-Type": "application/x-www-form-urlencoded" });
    },
    async runCron() {
      const changed = shop.orders().filter(({ id, modifiedAt }) => deliveredChanges.get(id) !== modifiedAt);
      const statuses: number[] = [];
      for (const order of changed) {
        deliveredChanges.set(order.id, order.modifiedAt);
        if (registered !== null && !isDisabled()) statuses.push(await deliver(order, registered));
      }
      return statuses;
    },
    isDisabled,
  };
}

/** Returns the status; 0 means no response. */
async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  try {
    const response = await fetch(url, { method: "POST", body, headers });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
