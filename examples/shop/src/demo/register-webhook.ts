import { createServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import type { Memory } from "./folder.ts";

/**
 * The webhook endpoint of the last start, moved to today's address, or a new one: the service shows a secret only once,
 * so it is kept (POST /webhooks, PATCH /webhooks/{id} of the service's API).
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
