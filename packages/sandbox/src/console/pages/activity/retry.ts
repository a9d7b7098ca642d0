import { type AttemptRecord, type DeliveryRecord, listDeliveries } from "../../../control/delivery-records.ts";
import type { Owner } from "../../../organizations/owner.ts";
import type { Service } from "../../../runtime/service.ts";
import type { SandboxDatabase } from "../../../storage/open-store.ts";
import type { EndpointRow } from "../../../storage/webhook-tables.ts";
import { readDeliveryLog } from "../../../webhooks/delivery-logs.ts";
import { retryDelivery } from "../../../webhooks/manual-delivery.ts";

/** How many failed deliveries one press of the button sends again: a slow endpoint keeps the page waiting for each of them. */
const maxResentPerPress = 20;

/** The oldest failed deliveries of an endpoint, oldest first: as many as one press of the button sends again. `total` counts all. */
export async function failedDeliveries(
  database: SandboxDatabase,
  webhookId: string,
): Promise<{ readonly oldest: readonly DeliveryRecord[]; readonly total: number }> {
  const filter = { webhookId, state: "failed" } as const;
  const { total } = await listDeliveries(database, { limit: 1, offset: 0 }, filter);
  const page = { limit: maxResentPerPress, offset: Math.max(0, total - maxResentPerPress) };
  return { oldest: [...(await listDeliveries(database, page, filter)).items].reverse(), total };
}

/**
 * Sends the oldest failed deliveries of an endpoint again, the oldest first, and stops at the first that fails again. Returns how
 * many failed deliveries are left.
 * @throws ApiError `bad_request` when the endpoint does not answer 2xx, `conflict` when it is not subscribed any more
 */
export async function retryOldestFirst(service: Service, endpoint: EndpointRow, owner: Owner): Promise<number> {
  const { database } = service.store;
  const { oldest, total } = await failedDeliveries(database, endpoint.webhook_id);
  for (const delivery of oldest) {
    const failed = lastFailedAttempt(delivery);
    if (failed === undefined) continue;
    await retryDelivery(service, endpoint, await readDeliveryLog(database, failed.log_id, owner));
  }
  return total - oldest.length;
}

/** The attempt that a retry repeats. Undefined when the event was delivered or its endpoint was deleted. */
export function lastFailedAttempt({ state, attempts, url }: DeliveryRecord): AttemptRecord | undefined {
  if (state === "delivered" || url === null) return undefined;
  return attempts.filter(({ success }) => !success).at(-1);
}
