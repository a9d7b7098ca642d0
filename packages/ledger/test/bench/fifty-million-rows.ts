// npm run bench -- archive [rows [small [tables|partitions]]]: a year of deliveries and timeline entries on PostgreSQL, 50,000,000
// rows by default, compared with the same ledger of 100,000 rows. Measures what receiving, claiming and reading cost, what pruning and
// archiving a month cost and leave behind, and the same with a partition for each month. A million rows need half a gigabyte.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Archived, PaymentHistory } from "@tillkit/core/ledger";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { type Database, openDatabase } from "@tillkit/sql";
import { startPostgres } from "../../../../test/postgres/start-postgres.ts";
import {
  beginOfMonth,
  fillHistory,
  fillMonth,
  MONTHS,
  PAYMENTS_PER_HELD_PAYMENT,
  paymentsOfMonth,
  ROWS_PER_PAYMENT,
} from "./history/fill-history.ts";
import { compare, during, gigabytes, type Percentiles, type Space, spaceOf } from "./history/measure.ts";
import { dropMonth, partitionByMonth, receiveInPartition } from "./history/monthly-partitions.ts";
import { psql } from "./history/psql.ts";

const MANY = Number(process.argv[2] ?? 50_000_000);
const FEW = Number(process.argv[3] ?? 100_000);
/** `tables`: without partitions. `partitions`: without pruning and archiving. */
const PART = process.argv[4] ?? "all";
const NOW = beginOfMonth(MONTHS);
const DAY_MS = 86_400_000;
/** A new delivery belongs to the twelfth month: the partition of a month that has just begun would be empty. */
const IN_FULL_MONTH = NOW - DAY_MS;
const PRUNED_ROWS_PER_CALL = 500;
const ARCHIVED_ROWS_PER_CALL = 2_000;

type FilledLedger = {
  readonly url: string;
  readonly ledger: Ledger;
  readonly database: Database<object>;
  readonly payments: number;
};

const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), "tillkit-bench-"));
const servers = [await startPostgres({ durable: true }), await startPostgres({ durable: true })] as const;
if (!servers[0].isServer) throw new Error("Install PostgreSQL (Debian: postgresql): PGlite is no server to measure.");
try {
  const few = await openFilledLedger(servers[0].url, FEW);
  const many = await openFilledLedger(servers[1].url, MANY);
  await measureTables(few, many);
  await measurePartitions(few, many);
  for (const { ledger, database } of [few, many]) await Promise.all([ledger.close(), database.close()]);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true });
}

async function measureTables(few: FilledLedger, many: FilledLedger): Promise<void> {
  say("one table each");
  await compareDaily(few, many, ({ ledger }) => receive(ledger));
  if (PART === "partitions") return;
  await pruneMonth(many);
  await archiveMonths(many);
  await compareDaily(few, many, ({ ledger }) => receive(ledger));
}

async function measurePartitions(few: FilledLedger, many: FilledLedger): Promise<void> {
  if (PART === "tables") return;
  say("a partition for each month");
  for (const { url } of [few, many]) await partitionByMonth(url);
  say(`partitioned: ${(await spaceOf(many.database)).gigabytes}`);
  await compareDaily(few, many, ({ database }) => receiveInPartition(database, newDelivery()));
  const { seconds, operation } = await during(
    () => dropMonth(many.url, 1),
    () => receiveInPartition(many.database, newDelivery()),
  );
  say(`drop of a month: ${seconds.toFixed(1)} s, receive meanwhile ${formatTimes(operation)}`);
  say(`  after: ${(await spaceOf(many.database)).gigabytes}`);
}

async function openFilledLedger(url: string, rows: number): Promise<FilledLedger> {
  const ledger = await openLedger(url);
  const payments = Math.floor(rows / ROWS_PER_PAYMENT);
  await fillHistory(url, payments, (line) => say(`${rows.toLocaleString("en")} rows: ${line}`));
  const database = await openDatabase<object>(url);
  say(`${rows.toLocaleString("en")} rows: ${(await spaceOf(database)).gigabytes}`);
  return { url, ledger, database, payments };
}

async function compareDaily(
  few: FilledLedger,
  many: FilledLedger,
  receiveOne: (filled: FilledLedger) => Promise<unknown>,
): Promise<void> {
  report("receive a webhook", await compare(few, many, receiveOne));
  say(
    `log of a webhook after a checkpoint: ${await logOfWebhook(few, receiveOne)} → ${await logOfWebhook(many, receiveOne)}`,
  );
  for (const { ledger } of [few, many]) await finishAll(ledger);
  report("claim and finish a job", await compare(few, many, claim));
  report("add a timeline entry", await compare(few, many, addEntry));
  report("read a payment's history", await compare(few, many, readPayment));
}

/** The first change of a page after a checkpoint writes the whole page to the log. */
async function logOfWebhook(
  filled: FilledLedger,
  receiveOne: (filled: FilledLedger) => Promise<unknown>,
): Promise<string> {
  const webhooks = 1_000;
  await psql(filled.url, "checkpoint");
  const before = await spaceOf(filled.database);
  for (let done = 0; done < webhooks; done += 1) await receiveOne(filled);
  const after = await spaceOf(filled.database);
  return `${((after.wal - before.wal) / webhooks / 1_000).toFixed(1)} KB`;
}

function newDelivery() {
  return {
    endpointId: "endpoint-1",
    digest: `${randomUUID()}${randomUUID()}`,
    bytes: new Uint8Array(704),
    receivedAt: IN_FULL_MONTH,
  };
}

async function receive(ledger: Ledger): Promise<void> {
  await ledger.receive([newDelivery()]);
}

async function finishAll(ledger: Ledger): Promise<void> {
  for (;;) {
    const jobs = await ledger.claim({ worker: "bench", now: NOW, leaseMs: 60_000, limit: 200 });
    if (jobs.length === 0) return;
    await ledger.commit({ finished: jobs.map(({ id }) => id), timeline: [] });
  }
}

async function claim({ ledger }: FilledLedger): Promise<void> {
  await ledger.commit({
    jobs: [{ kind: "confirm", storeId: "store-1", paymentId: null, payload: "", dueAt: NOW }],
    timeline: [],
  });
  const [job] = await ledger.claim({ worker: "bench", now: NOW, leaseMs: 60_000, limit: 10 });
  assert.ok(job);
  await ledger.commit({ finished: [job.id], timeline: [] });
}

async function addEntry({ ledger }: FilledLedger): Promise<void> {
  const entry = { paymentId: randomUUID(), at: NOW, actor: "shopper", kind: "started" } as const;
  assert.equal(await ledger.commit({ timeline: [entry] }), "done");
}

async function readPayment({ ledger, payments }: FilledLedger): Promise<void> {
  // A payment of the newest nine months: older payments are archived at the end.
  const number = Math.floor(payments * (0.25 + Math.random() * 0.75));
  const id = createHash("md5").update(`payment ${number}`).digest("hex");
  const [timeline, deliveries] = [
    await ledger.timeline({ paymentId: id }),
    await ledger.listDeliveries({ paymentId: id, limit: 50 }),
  ];
  assert.equal(timeline.length + deliveries.rows.length, ROWS_PER_PAYMENT);
}

/** Prunes, as a server does daily, a month that was never pruned. Pruning empties rows in place. */
async function pruneMonth({ ledger, database }: FilledLedger): Promise<void> {
  const before = await spaceOf(database);
  const { result, seconds, operation } = await during(
    async () => {
      for (let total = 0; ; ) {
        const { payments, deliveries } = await ledger.prune({ before: NOW - 92 * DAY_MS, limit: PRUNED_ROWS_PER_CALL });
        total += payments + deliveries;
        if (payments + deliveries === 0) return total;
      }
    },
    () => receive(ledger),
  );
  say(
    `prune of a month: ${result.toLocaleString("en")} rows in ${seconds.toFixed(0)} s, receive meanwhile ${formatTimes(operation)}`,
  );
  sayChange(before, await spaceOf(database));
}

/** Archives the oldest month and adds a new month, twice: the new month should take the space that the archived month left free. */
async function archiveMonths(many: FilledLedger): Promise<void> {
  for (const month of [0, 1]) {
    const before = await spaceOf(many.database);
    const file = join(folder, `month-${month}.jsonl.gz`);
    const { result, seconds, operation } = await during(
      () => archiveTo(many.ledger, file, beginOfMonth(month + 1)),
      () => receive(many.ledger),
    );
    say(
      `archive of month ${month + 1}: ${result.toLocaleString("en")} rows in ${seconds.toFixed(0)} s, file ${gigabytes(statSync(file).size)}, receive meanwhile ${formatTimes(operation)}`,
    );
    const heldRows = await countHeldRows(many, month);
    say(`  of held payments ${heldRows.toLocaleString("en")} rows are left, of others none`);
    sayChange(before, await spaceOf(many.database));
    await psql(many.url, "vacuum tillkit_deliveries");
    await psql(many.url, "vacuum tillkit_timeline");
    say(`  after a vacuum: ${(await spaceOf(many.database)).gigabytes}`);
    await fillMonth(many.url, many.payments, MONTHS + month);
    say(`  with a new month: ${(await spaceOf(many.database)).gigabytes}`);
  }
}

async function archiveTo(ledger: Ledger, path: string, before: number): Promise<number> {
  const file = openSync(path, "w");
  const write = async (histories: readonly PaymentHistory[]) => {
    writeSync(file, gzipSync(histories.map((history) => `${JSON.stringify(history)}\n`).join("")));
    fsyncSync(file);
  };
  const request = { before, at: NOW, name: "bench", limit: ARCHIVED_ROWS_PER_CALL, write };
  let rows = 0;
  let after: string | null = null;
  do {
    const archived: Archived = await ledger.archive(after === null ? request : { ...request, after });
    rows += archived.deliveries + archived.timelineEntries;
    after = archived.next;
  } while (after !== null);
  closeSync(file);
  return rows;
}

/** Counts the month's rows of held payments. Fails if such a row is gone, or if a row of a final payment is left. */
async function countHeldRows({ url, payments }: FilledLedger, month: number): Promise<number> {
  const { from, to } = paymentsOfMonth(payments, month);
  // A payment of the month's last minute has rows of the next month and is not archived.
  const until = beginOfMonth(month + 1) - 120_000;
  const [line = ""] = await psql(
    url,
    `select count(*) filter (where state = 'review'), count(*) filter (where state <> 'review') from (
       select payment_id from tillkit_timeline where kind <> 'archived' and at < ${until}
       union all select payment_id from tillkit_deliveries where received_at < ${until}) history
     join tillkit_payments on id = payment_id where created_at >= ${beginOfMonth(month)}`,
  );
  const [heldRows = 0, otherRows] = line.split("\t").map(Number);
  assert.equal(otherRows, 0);
  const expectedRows = ((to - from) / PAYMENTS_PER_HELD_PAYMENT) * ROWS_PER_PAYMENT;
  assert.ok(Math.abs(heldRows - expectedRows) <= 2 * ROWS_PER_PAYMENT);
  return heldRows;
}

function sayChange(before: Space, after: Space): void {
  say(`  log ${gigabytes(after.wal - before.wal)}, dead rows ${after.deadRows.toLocaleString("en")}`);
  say(`  before: ${before.gigabytes}`);
  say(`  after:  ${after.gigabytes}`);
}

function report(name: string, { few, many }: { readonly few: Percentiles; readonly many: Percentiles }): void {
  say(`${name.padEnd(26)} ${formatTimes(few)} → ${formatTimes(many)}: ${(many.median / few.median).toFixed(2)} ×`);
}

function formatTimes({ median, p99 }: Percentiles): string {
  return `${median.toFixed(2)} ms (p99 ${p99.toFixed(1)})`;
}

function say(line: string): void {
  const minutes = ((performance.now() - started) / 60_000).toFixed(1).padStart(5);
  console.log(`${minutes} min, load ${loadavg()[0]?.toFixed(1)}  ${line}`);
}
