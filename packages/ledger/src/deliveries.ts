import type { Delivery, ProcessedDelivery } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import { addJobs } from "./jobs.ts";
import type { LedgerSchema, Session } from "./schema.ts";

/**
 * Takes the rows when their turn has come and makes them durable. Those that are known already change nothing; each new
 * one gets its job.
 */
export async function keepDeliveries(database: Database<LedgerSchema>, take: () => readonly Delivery[]): Promise<void> {
  if (database.engine === "postgres") {
    await database.urgent.connection().execute((session) => keepInOneStatement(session, take()));
  } else {
    await database.transaction((session) => keepInTwoStatements(session, take()));
  }
}

/** One round trip, and a transaction of its own. The job's payload is written as `JSON.stringify` would. */
async function keepInOneStatement(session: Session, deliveries: readonly Delivery[]): Promise<void> {
  const rows = inOrder(deliveries).map(
    ({ endpointId, digest, bytes, receivedAt }) =>
      sql`(${endpointId}, ${digest}, ${bytes}::bytea, ${receivedAt}::bigint)`,
  );
  await sql`
    with kept as (
      insert into tillkit_deliveries (endpoint_id, digest, body, received_at)
      values ${sql.join(rows)}
      on conflict (endpoint_id, digest) do nothing
      returning endpoint_id, digest, received_at
    )
    insert into tillkit_jobs (kind, store_id, payload, due_at, ready_at, attempts)
    select 'delivery', '',
      '{"endpointId":' || to_json(endpoint_id)::text || ',"digest":' || to_json(digest)::text || '}',
      received_at, received_at, 0
    from kept`.execute(session);
}

async function keepInTwoStatements(session: Session, deliveries: readonly Delivery[]): Promise<void> {
  const rows = deliveries.map(({ endpointId, digest, bytes, receivedAt }) => ({
    endpoint_id: endpointId,
    digest,
    body: bytes,
    received_at: receivedAt,
  }));
  const kept = await session
    .insertInto("tillkit_deliveries")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["endpoint_id", "digest"]).doNothing())
    .returning(["endpoint_id", "digest", "received_at"])
    .execute();
  if (kept.length === 0) return;
  await addJobs(
    session,
    kept.map(({ endpoint_id: endpointId, digest, received_at: dueAt }) => {
      const payload = JSON.stringify({ endpointId, digest });
      return { kind: "delivery", storeId: null, paymentId: null, payload, dueAt };
    }),
  );
}

/** Two servers that take the same deliveries wait for each other's rows: in one order they cannot wait in a circle. */
function inOrder(deliveries: readonly Delivery[]): readonly Delivery[] {
  return [...deliveries].sort(
    (left, right) => compare(left.digest, right.digest) || compare(left.endpointId, right.endpointId),
  );
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
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

export async function hearDelivery(session: Session, heard: ProcessedDelivery): Promise<void> {
  await session
    .updateTable("tillkit_deliveries")
    .set({ outcome: heard.outcome, payment_id: heard.paymentId, heard_at: heard.processedAt })
    .where("endpoint_id", "=", heard.endpointId)
    .where("digest", "=", heard.digest)
    .execute();
}
