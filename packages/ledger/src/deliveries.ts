import type { Delivery } from "@tillkit/core";
import { addJobs } from "./jobs.ts";
import type { Session } from "./schema.ts";

/** A delivery that is known already changes nothing; a new one gets its job. */
export async function keepDelivery(session: Session, delivery: Delivery): Promise<void> {
  const { endpointId, digest, bytes, receivedAt } = delivery;
  const { numInsertedOrUpdatedRows } = await session
    .insertInto("tillkit_deliveries")
    .values({ endpoint_id: endpointId, digest, body: bytes, received_at: receivedAt })
    .onConflict((conflict) => conflict.columns(["endpoint_id", "digest"]).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) return;
  const payload = JSON.stringify({ endpointId, digest });
  await addJobs(session, [{ kind: "delivery", storeId: null, paymentId: null, payload, dueAt: receivedAt }]);
}

export async function findDelivery(session: Session, endpointId: string, digest: string): Promise<Delivery | null> {
  const row = await session
    .selectFrom("tillkit_deliveries")
    .select(["body", "received_at"])
    .where("endpoint_id", "=", endpointId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row === undefined ? null : { endpointId, digest, bytes: row.body, receivedAt: row.received_at };
}
