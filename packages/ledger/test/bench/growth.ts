// npm run bench -- growth [payments]: what a paid and an abandoned checkout leave in a ledger on PostgreSQL, and what they cost
// meanwhile: rows, bytes, commits, write-ahead log and calls to the service. Time is virtual, so that an abandoned checkout lives
// through its three days here.
import { money } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { type Database, openDatabase } from "@tillkit/sql";
import { type CheckoutHarness, createCheckoutHarness } from "@tillkit/testkit/checkout-harness";
import { sql } from "kysely";
import { startPostgres } from "../../../../test/postgres/start-postgres.ts";

const PAYMENTS = Number(process.argv[2] ?? 500);
/** Few enough for the sandbox's log of requests to hold all calls. */
const COUNTED_PAYMENTS = 10;
const FOUR_DAYS_MS = 4 * 24 * 3_600_000;

type Usage = { readonly commits: number; readonly walBytes: number };

await report("paid, by its webhook alone", async (harness, count) => {
  for (let index = 0; index < count; index += 1) await pay(harness);
});
await report("abandoned, read until its last day", async (harness, count) => {
  for (let index = 0; index < count; index += 1) await start(harness);
  await harness.advanceTime(FOUR_DAYS_MS);
});

async function report(title: string, checkOut: (harness: CheckoutHarness, count: number) => Promise<void>) {
  const postgres = await startPostgres();
  if (!postgres.isServer)
    throw new Error("Install PostgreSQL (Debian: postgresql): PGlite counts neither commits nor bytes.");
  const ledger = await openLedger(postgres.url, { secretKeys: ["0123456789abcdef0123456789abcdef"] });
  const database = await openDatabase<object>(postgres.url);
  const harness = await createCheckoutHarness({ store: "callback", ledger });
  const callsBefore = serviceCalls(harness);
  await checkOut(harness, COUNTED_PAYMENTS);
  const calls = (serviceCalls(harness) - callsBefore) / COUNTED_PAYMENTS;
  const before = await usage(database);
  await checkOut(harness, PAYMENTS);
  const after = await usage(database);
  console.log(`\nA checkout that is ${title} (${PAYMENTS} of them):`);
  console.log(`  ${calls.toFixed(1)} calls to the service`);
  console.log(`  ${((after.commits - before.commits) / PAYMENTS).toFixed(1)} transactions, reading ones included`);
  console.log(`  ${((after.walBytes - before.walBytes) / PAYMENTS / 1_024).toFixed(1)} KB of write-ahead log`);
  await printTables(database, PAYMENTS + COUNTED_PAYMENTS);
  await harness.close();
  await ledger.close();
  await database.close();
  await postgres.stop();
}

async function start(harness: CheckoutHarness) {
  const order = { total: money(5_000, "XOF"), title: "Two baskets", language: "en" } as const;
  // A sandbox key may create two sessions a second.
  await harness.advanceTime(1_000);
  return await harness.startCheckout(await harness.store.placeOrder(order));
}

async function pay(harness: CheckoutHarness): Promise<void> {
  const { id, session } = await start(harness);
  await harness.sandbox.control.paySession(session?.id ?? "", { method: "wave", outcome: "completed" });
  await harness.runUntil(async () => (await harness.payment(id)).state === "recorded");
}

function serviceCalls({ sandbox }: CheckoutHarness): number {
  return sandbox.control.listRequests().length;
}

async function usage({ db }: Database<object>): Promise<Usage> {
  // The statistics of a connection are published at most once a second.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const { rows } = await sql<{ commits: number; wal: number }>`
    select (select sum(xact_commit) from pg_stat_database)::bigint as commits,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as wal`.execute(db);
  return { commits: rows[0]?.commits ?? Number.NaN, walBytes: rows[0]?.wal ?? Number.NaN };
}

async function printTables({ db }: Database<object>, payments: number): Promise<void> {
  await sql`vacuum full analyze`.execute(db);
  const { rows: tables } = await sql<{ name: string; rows: number; bytes: number; indexes: number }>`
    select relname as name, reltuples::bigint as rows, pg_total_relation_size(oid)::bigint as bytes,
      pg_indexes_size(oid)::bigint as indexes
    from pg_class where relkind = 'r' and relname like 'tillkit_%' and reltuples > 0 order by 3 desc`.execute(db);
  let total = 0;
  for (const { name, rows, bytes, indexes } of tables) {
    // Only tables that grow with the payments count.
    if (rows < payments / 2) continue;
    total += bytes;
    const size = `${(bytes / payments).toFixed(0).padStart(6)} bytes, ${(indexes / payments).toFixed(0)} of them indexes`;
    console.log(`  ${name.padEnd(24)} ${(rows / payments).toFixed(1).padStart(5)} rows ${size}`);
  }
  console.log(`  together ${(total / payments / 1_024).toFixed(1)} KB`);
}
