import { PATIENCE_MS } from "../waiting/patience.ts";
import type { Row } from "./answer.ts";
import { sleep } from "./receiver.ts";
import type { Merchant, Service } from "./service.ts";
import { type Listener, listen } from "./steps.ts";

export type ListeningShop = Merchant & Listener;

/** A merchant with a webhook endpoint for these events. */
export async function openListeningShop(
  service: Service,
  events: readonly string[] = ["PAYMENT_SUCCEEDED"],
): Promise<ListeningShop> {
  const shop = await service.merchant();
  return { ...shop, ...(await listen(service, shop.call, events)) };
}

/** Waits until `count` delivery attempts are logged and returns them, newest first. */
export async function waitForLogs(shop: ListeningShop, count: number): Promise<readonly Row[]> {
  for (const giveUpAt = Date.now() + PATIENCE_MS; ; ) {
    const rows = (await shop.call("GET /webhooks/{id}/logs", { params: { id: shop.id } })).rows();
    if (rows.length >= count) return rows;
    if (Date.now() > giveUpAt) throw new Error(`${rows.length} of ${count} attempts are logged.`);
    await sleep(10);
  }
}
