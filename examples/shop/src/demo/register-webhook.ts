import { createServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import type { SavedState } from "./folder.ts";

/**
 * Gives the endpoint that an earlier start registered the current URL (PATCH /webhooks/{id} of the service's API), or creates an
 * endpoint (POST /webhooks). The service shows a secret only once, so the caller saves the returned id and secret.
 */
export async function registerWebhook(
  service: { readonly apiKey: string; readonly baseUrl: string },
  url: string,
  saved: SavedState["webhook"],
): Promise<NonNullable<SavedState["webhook"]>> {
  const { webhooks } = createServiceClient(service);
  const { data: page } = await webhooks.list();
  const endpoint = saved && page.items.find(({ id }) => id === saved.id);
  if (endpoint) {
    if (endpoint.url !== url) await webhooks.update(saved.id, { url });
    return saved;
  }
  const { data } = await webhooks.create({ url, authorized_events: [...CHECKOUT_EVENTS], description: "Chez Adjoua" });
  const { id, secret } = data;
  if (!id || !secret) throw new Error("The service registered the webhook and returned no id or no secret.");
  return { id, secret };
}
