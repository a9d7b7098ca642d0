import { createServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import type { Memory } from "./folder.ts";

/**
 * Updates the webhook endpoint of the last start to the current address, or creates a new one. The service shows a secret only once,
 * so the demo stores it (POST /webhooks, PATCH /webhooks/{id} of the service's API).
 */
export async function registerWebhook(
  service: { readonly apiKey: string; readonly baseUrl: string },
  url: string,
  known: Memory["webhook"],
): Promise<NonNullable<Memory["webhook"]>> {
  const { webhooks } = createServiceClient(service);
  const { data: page } = await webhooks.list();
  const same = known && page.items.find(({ id }) => id === known.id);
  if (same) {
    if (same.url !== url) await webhooks.update(known.id, { url });
    return known;
  }
  const { data } = await webhooks.create({ url, authorized_events: [...CHECKOUT_EVENTS], description: "Chez Adjoua" });
  const { id, secret } = data;
  if (!id || !secret) throw new Error("The service registered the webhook without telling its id and secret.");
  return { id, secret };
}
