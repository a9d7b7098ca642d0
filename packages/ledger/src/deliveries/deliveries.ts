import type { Delivery, ProcessedDelivery } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import { CompiledQuery, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";

/**
 * Stores deliveries durably and adds one job for each new delivery. A delivery that is stored already changes nothing.
 * `take` returns the deliveries; it is called when the database can write, so that a batch can grow until then.
 */
export async function storeDeliveries(
  database: Database<LedgerSchema>,
  take: () => readonly Delivery[],
): Promise<void> {
  if (database.engine === "postgres") {
    await database.urgent.connection().execute((session) => storeInOneStatement(session, take()));
  } else {
    await database.transaction((session) => storeInFewStatements(session, take()));
  }
}

/** One round trip and one implicit transaction. The payload has the same bytes as `JSON.stringify` would give. */
async function storeInOneStatement(session: Session, deliveries: readonly Delivery[]): Promise<void> {
  const rows = sortedByDigest(deliveries).map(
    ({ endpointId, digest, bytes, receivedAt }) =>
      sql`(${endpointId}, ${digest}, ${bytes}::bytea, ${receivedAt}::bigint)`,
  );
  await sql`
    with inserted as (
      insert into tillkit_deliveries (endpoint_id, digest, body, received_at)
      values ${sql.join(rows)}
      on conflict (endpoint_id, digest) do nothing
      returning endpoint_id, digest, received_at
    )
    insert into tillkit_jobs (kind, store_id, payload, due_at, ready_at, attempts)
    select 'delivery', '',
      '{"endpointId":' || to_json(endpoint_id)::text || ',"digest":' || to_json(digest)::text || '}',
      received_at, received_at, 0
    from inserted`.execute(session);
}

/**
 * Each statement inserts 64, 16, 4 or 1 rows, so that SQLite prepares only four statements. New deliveries have higher row ids than
 * all older deliveries, because one transaction writes at a time.
 */
async function storeInFewStatements(session: Session, deliveries: readonly Delivery[]): Promise<void> {
  const { rows } = await session.executeQuery<{ last: number | null }>(LAST_ROW);
  for (let first = 0; first < deliveries.length; ) {
    const insert = INSERTS.find(({ count }) => count <= deliveries.length - first) ?? SINGLE_INSERT;
    const values = deliveries
      .slice(first, first + insert.count)
      .flatMap(({ endpointId, digest, bytes, receivedAt }) => [endpointId, digest, bytes, receivedAt]);
    await session.executeQuery(CompiledQuery.raw(insert.sql, values));
    first += insert.count;
  }
  await session.executeQuery(CompiledQuery.raw(INSERT_JOBS, [rows[0]?.last ?? 0]));
}

const LAST_ROW = CompiledQuery.raw("select max(rowid) as last from tillkit_deliveries");
const SINGLE_INSERT = insertStatement(1);
const INSERTS = [insertStatement(64), insertStatement(16), insertStatement(4), SINGLE_INSERT];
// SQLite escapes a JSON text as `JSON.stringify` does.
const INSERT_JOBS = `
  insert into tillkit_jobs (kind, store_id, payload, due_at, ready_at, attempts)
  select 'delivery', '', json_object('endpointId', endpoint_id, 'digest', digest), received_at as due_at, received_at as ready_at, 0
  from tillkit_deliveries where rowid > ? order by rowid`;

function insertStatement(count: number) {
  const rows = Array.from({ length: count }, () => "(?, ?, ?, ?)").join(", ");
  const sql = `insert into tillkit_deliveries (endpoint_id, digest, body, received_at) values ${rows}
    on conflict (endpoint_id, digest) do nothing`;
  return { count, sql };
}

/** Processes that insert the same deliveries wait for each other's rows. Inserting in one sorted order keeps them from deadlocking. */
function sortedByDigest(deliveries: readonly Delivery[]): readonly Delivery[] {
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

export async function findUnmatched(
  session: Session,
  transactionIds: readonly string[],
): Promise<readonly Pick<Delivery, "endpointId" | "digest">[]> {
  if (transactionIds.length === 0) return [];
  return await session
    .selectFrom("tillkit_deliveries")
    .select(["endpoint_id as endpointId", "digest"])
    .where("transaction_id", "in", transactionIds)
    .orderBy("received_at")
    .orderBy("digest")
    .execute();
}

export async function markProcessed(session: Session, delivery: ProcessedDelivery): Promise<void> {
  await session
    .updateTable("tillkit_deliveries")
    .set({
      outcome: delivery.outcome,
      payment_id: delivery.paymentId,
      processed_at: delivery.processedAt,
      transaction_id: delivery.transactionId ?? null,
      ...(delivery.event === undefined ? {} : { event: delivery.event.name, event_at: delivery.event.at }),
      ...(delivery.attempts === undefined ? {} : { attempts: delivery.attempts }),
    })
    .where("endpoint_id", "=", delivery.endpointId)
    .where("digest", "=", delivery.digest)
    .execute();
}

/** The limits of one commit. A larger batch makes its first delivery wait longer. */
const MAX_BATCH_ROWS = 256;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

type Call = {
  readonly rows: readonly Delivery[];
  readonly bytes: number;
  resolve(): void;
  reject(error: unknown): void;
};

/**
 * Collects the deliveries that arrive during a commit and stores them in the next commit, so that a flood of webhooks costs
 * few commits. `store` calls `take` for the rows of a batch when the database can write them.
 */
export function createDeliveryBatcher(
  store: (take: () => readonly Delivery[]) => Promise<void>,
): (rows: readonly Delivery[]) => Promise<void> {
  const waiting: Call[] = [];
  let running = false;

  async function storeWaiting(): Promise<void> {
    while (waiting.length > 0) await storeBatch();
    running = false;
  }

  async function storeBatch(): Promise<void> {
    let taken: readonly Call[] = [];
    const take = () => {
      // A database that repeats its transaction calls `take` again and must receive the same rows.
      if (taken.length === 0) taken = takeBatch();
      return taken.flatMap(({ rows }) => rows);
    };
    try {
      await store(take);
      for (const call of taken) call.resolve();
    } catch (error) {
      // When `store` failed before it took rows, the next batch waits for the same database and gets the same error.
      const failed = taken.length === 0 ? takeBatch() : taken;
      for (const call of failed) call.reject(error);
    }
  }

  function takeBatch(): readonly Call[] {
    let rows = 0;
    let bytes = 0;
    let count = 0;
    for (const call of waiting) {
      rows += call.rows.length;
      bytes += call.bytes;
      if (count > 0 && (rows > MAX_BATCH_ROWS || bytes > MAX_BATCH_BYTES)) break;
      count += 1;
    }
    return waiting.splice(0, count);
  }

  return async function storeInBatches(rows) {
    if (rows.length === 0) return;
    await new Promise<void>((resolve, reject) => {
      const bytes = rows.reduce((sum, row) => sum + row.bytes.byteLength, 0);
      waiting.push({ rows, bytes, resolve, reject });
      if (running) return;
      running = true;
      void storeWaiting();
    });
  };
}
