import type { DeliveryLog, ServiceClient, ServiceWebhookEndpoint } from "@tillkit/client";
import type { DeliveryAttempt, EndpointReading } from "../ports/endpoint-reading.ts";

type EndpointQuery = { readonly url: string; readonly maxAttempts: number; readonly deadlineMs: number };

/** The endpoint with this address and its newest attempts. Null: the key's environment has no endpoint with this address. */
export async function readWebhookEndpoint(
  client: ServiceClient,
  { url, maxAttempts, deadlineMs }: EndpointQuery,
): Promise<EndpointReading | null> {
  const endpoint = await findWebhookEndpoint(client, { url, deadlineMs });
  if (endpoint === null) return null;
  const logs = await client.webhooks
    .logs(endpoint.id, { limit: maxAttempts }, { deadlineMs })
    .toArray({ limit: maxAttempts });
  return {
    isActive: endpoint.isActive,
    events: endpoint.authorizedEvents,
    attempts: logs.map(toAttempt),
  };
}

export function toAttempt(log: DeliveryLog): DeliveryAttempt {
  return {
    event: log.eventType,
    attemptNumber: log.attemptNumber,
    isDelivered: log.success,
    httpStatus: log.responseStatus,
    error: log.error === undefined ? undefined : String(log.error),
    durationMs: log.durationMs,
    at: log.createdAt,
  };
}

const MAX_ENDPOINTS = 1_000;

export async function findWebhookEndpoint(
  client: ServiceClient,
  { url, deadlineMs }: Pick<EndpointQuery, "url" | "deadlineMs">,
): Promise<(ServiceWebhookEndpoint & { readonly id: string }) | null> {
  const endpoints = await client.webhooks.list({ deadlineMs }).toArray({ limit: MAX_ENDPOINTS });
  const endpoint = endpoints.find((listed) => listed.url === url);
  return endpoint?.id === undefined ? null : { ...endpoint, id: endpoint.id };
}
