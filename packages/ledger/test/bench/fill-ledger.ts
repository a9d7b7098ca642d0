import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema } from "../../src/database/schema.ts";
import { sumAllChanges } from "../../src/payment-hours.ts";

/** Small enough for a statement to end long before its timeout. */
const ROWS_PER_STATEMENT = 20_000;

/**
 * Inserts finished payments, each with its transaction, order lock, a delivery and three timeline entries. A million payments fill one year. One of
 * fifty has a refund, one of a thousand has a dispute, one of two thousand is held, one of three thousand has a dead-letter job. The
 * figures are summed up, as every process does beside its commits.
 */
export async function fillLedger(url: string, payments: number, storeId: string): Promise<void> {
  const database = await openDatabase<LedgerSchema>(url);
  const { engine, db } = database;
  const random = engine === "sqlite" ? "lower(hex(randomblob(16)))" : "md5(random()::text || n::text)";
  for (let from = 0; from < payments; from += ROWS_PER_STATEMENT) {
    const to = Math.min(payments, from + ROWS_PER_STATEMENT);
    for (const statement of statements({ engine, random, from, to, storeId })) await sql.raw(statement).execute(db);
  }
  await sumAllChanges(database);
  // PostgreSQL reads an index without its table once the table was vacuumed, as a database in use is.
  await sql.raw(engine === "postgres" ? "vacuum analyze" : "analyze").execute(db);
  // A ledger in use has thousands of jobs. Where SQLite has counted a few, it would read all of them instead of an index.
  if (engine === "sqlite") await sql.raw("delete from sqlite_stat1 where tbl = 'tillkit_jobs'").execute(db);
  await database.close();
}

type Fill = { engine: "sqlite" | "postgres"; random: string; from: number; to: number; storeId: string };

function statements({ engine, random, from, to, storeId }: Fill): readonly string[] {
  const begin = Date.UTC(2025, 0, 6, 12);
  const intervalMs = Math.floor((364 * 24 * 3_600_000) / 1_000_000);
  const numbers =
    engine === "sqlite"
      ? `with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n + 1 < ${to})`
      : `with numbers (n) as (select generate_series(${from}, ${to - 1}))`;
  const at = engine === "sqlite" ? `${begin} + n * ${intervalMs}` : `${begin}::bigint + n::bigint * ${intervalMs}`;
  const body = engine === "sqlite" ? "randomblob(600)" : "decode(repeat(md5(n::text), 18), 'hex')";
  const isNew = `created_at >= ${begin + from * intervalMs} and created_at < ${begin + to * intervalMs}`;
  return [
    `insert into tillkit_payments (id, store_id, order_id, attempt, environment, credential_id, created_at, amount_due_minor,
       amount_due_currency, wire_amount, request, reference, session_id, session_url, session_expires_at, transaction_id, state,
       version, checks, store_tries, order_number, method, wire_fee, wire_net, succeeded_at, recorded_at, transaction_code,
       amount_received_minor, amount_received_currency, sum_currency, sum_received, sum_returned, sum_disputed)
     ${numbers}, named (n, name) as (select n, ${random} from numbers)
     select name, case when n % 2 = 0 then '${storeId}' else 'store-' || (n % 97) end, 'order-' || n, '', 'test', 'credential-1',
       ${at}, 5000, 'XOF', 5000, '', name || '.0123456789abcdef', 'cs-' || name, 'https://pay.example/' || name,
       ${at} + 3600000, 'txn-' || name, case when n % 2000 = 1999 then 'review' when n % 10 = 3 then 'closed' else 'recorded' end, 5, 2, 0, n,
       case n % 3 when 0 then 'WAVE' when 1 then 'CARD' else 'MTN' end, 125, 4875, ${at} + 60000, ${at} + 61000 + n % 900,
       'txn_' || n, 5000, 'XOF', 'XOF', 5000, case when n % 50 = 0 then 1000 else 0 end,
       case when n % 1000 = 1 then 5000 else 0 end
     from named`,
    `insert into tillkit_transactions (payment_id, id, code, amount_minor, amount_currency, is_read, evidence, at)
     select id, transaction_id, transaction_code, 5000, 'XOF', 1, 'identity', succeeded_at
     from tillkit_payments where ${isNew}`,
    `insert into tillkit_order_locks (store_id, order_id, fence, worker, leased_until)
     ${numbers} select case when n % 2 = 0 then '${storeId}' else 'store-' || (n % 97) end, 'order-' || n, 1, 'worker', null
     from numbers`,
    `insert into tillkit_deliveries (endpoint_id, digest, body, received_at, outcome, processed_at, event, event_at)
     ${numbers} select 'endpoint-1', ${random} || ${random}, ${body}, ${at}, 'processed', ${at}, 'PAYMENT_SUCCEEDED',
       ${at} - n % 700 from numbers`,
    `insert into tillkit_refunds (key, payment_id, origin, amount_minor, amount_currency, request, transaction_id, state,
       requested_at, other_keys)
     select 'refund ' || id, id, 'store', 1000, 'XOF', '', transaction_id, 'completed', created_at + 86400000, '[]'
     from tillkit_payments where ${isNew} and cast(order_number as integer) % 50 = 0`,
    `insert into tillkit_disputes (id, payment_id, amount_minor, amount_currency, reason, status, evidence_due_by, opened_at,
       updated_at, is_open)
     select 'dispute ' || id, id, 5000, 'XOF', 'product_not_received', 'pending', created_at + 864000000,
       created_at + 86400000, created_at + 86400000, 1
     from tillkit_payments where ${isNew} and cast(order_number as integer) % 1000 = 1`,
    `insert into tillkit_jobs (kind, store_id, payment_id, payload, due_at, ready_at, attempts, error_code, error)
     select 'confirm', store_id, id, '', created_at, null, 20, 'reconnect', 'The shop refused our connection.'
     from tillkit_payments where ${isNew} and cast(order_number as integer) % 3000 = 2`,
    ...["started", "verified", "recorded"].map(
      (kind) => `insert into tillkit_timeline (payment_id, at, actor, kind, detail)
       select id, created_at, 'webhook', '${kind}', 'read-back' from tillkit_payments
       where ${isNew}`,
    ),
  ];
}
