import type { ServiceClient } from "@tillkit/client";
import { parseEvent } from "@tillkit/client/webhooks";
import type { DeliveredEventsQuery, LoggedEvent } from "../ports/service.ts";
import { findWebhookEndpoint } from "./read-webhook-endpoint.ts";

/** The largest page of delivery logs. */
const LOGS_PER_PAGE = 100;

/** The events in the delivery logs of the endpoint with this address, newest first; nothing where no endpoint has this address. */
export async function* listDeliveredEvents(
  client: ServiceClient,
  { url, since, deadlineMs }: DeliveredEventsQuery,
): AsyncGenerator<LoggedEvent, void, undefined> {
  const endpoint = await findWebhookEndpoint(client, { url, deadlineMs });
  if (endpoint === null) return;
  for await (const log of client.webhooks.logs(endpoint.id, { limit: LOGS_PER_PAGE }, { deadlineMs })) {
    if (log.createdAt !== undefined && log.createdAt < since) return;
    const { payload, createdAt } = log;
    const event = payload && parseEvent(payload);
    if (payload && event) yield { payload, at: createdAt ?? event.timestamp ?? since };
  }
}
