import { createServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import type { ConfiguredStore } from "../config/schema.ts";

/**
 * Registers the webhook of a shop at the service and returns its id and its secret. An endpoint that has this address already gets a new
 * secret, because the service shows a secret only once, and two endpoints would send every event twice.
 * @throws ServiceError when the service refuses or does not answer
 */
export async function registerWebhook(
  store: Pick<ConfiguredStore, "apiKey" | "account">,
  baseUrl: string,
  url: string,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { webhooks } = createServiceClient({ apiKey: store.apiKey, baseUrl, account: store.account });
  const authorized_events = [...CHECKOUT_EVENTS];
  let existing: string | undefined;
  for await (const endpoint of webhooks.list()) if (endpoint.url === url) existing = endpoint.id;
  const { data } =
    existing === undefined
      ? await webhooks.create({ url, authorized_events })
      : await webhooks.update(existing, { rotate_secret: true, is_active: true, authorized_events });
  const { id = existing, secret } = data;
  if (!id || !secret) throw new Error("The service registered the webhook without showing its id and its secret.");
  return { id, secret };
}
