import { type AttemptRecord, type DeliveryRecord, listDeliveries } from "../../../control/delivery-records.ts";
import type { Owner } from "../../../organizations/owner.ts";
import type { Service } from "../../../runtime/service.ts";
import type { SandboxDatabase } from "../../../storage/open-store.ts";
import type { EndpointRow } from "../../../storage/webhook-tables.ts";
import { readDeliveryLog } from "../../../webhooks/delivery-logs.ts";
import { retryDelivery } from "../../../webhooks/manual-delivery.ts";

/** How many failed deliveries one press of the button sends again: a slow endpoint keeps the page waiting for each of them. */
const maxResentPerPress = 20;

/** The oldest failed deliveries of an endpoint, oldest first, at most as many as one press of the button sends again. */
export async function failedDeliveries(
  database: SandboxDatabase,
  webhookId: string,
): Promise<readonly DeliveryRecord[]> {
  const filter = { webhookId, state: "failed" } as const;
  const { total } = await listDeliveries(database, { limit: 1, offset: 0 }, filter);
  const page = { limit: maxResentPerPress, offset: Math.max(0, total - maxResentPerPress) };
  return [...(await listDeliveries(database, page, filter)).items].reverse();
}

/**
 * Sends the failed deliveries of an endpoint again, the oldest first, and stops at the first that fails again.
 * @throws ApiError `bad_request` when the endpoint does not answer 2xx, `conflict` when it is not subscribed any more
 */
export async function retryOldestFirst(service: Service, endpoint: EndpointRow, owner: Owner): Promise<void> {
  const { database } = service.store;
  for (const delivery of await failedDeliveries(database, endpoint.webhook_id)) {
    const failed = lastFailedAttempt(delivery);
    if (failed === undefined) continue;
    await retryDelivery(service, endpoint, await readDeliveryLog(database, failed.log_id, owner));
  }
}

/** The attempt that a retry repeats. Undefined when the event was delivered or its endpoint was deleted. */
export function lastFailedAttempt({ state, attempts, url }: DeliveryRecord): AttemptRecord | undefined {
  if (state === "delivered" || url === null) return undefined;
  return attempts.filter(({ success }) => !success).at(-1);
}
