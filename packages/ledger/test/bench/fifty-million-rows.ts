// npm run bench:archive [-- rows [small [tables|partitions]]]: a year of deliveries and timeline entries on PostgreSQL, 50,000,000
// rows by default, compared with the same ledger of 100,000 rows. Measures what receiving, claiming and reading cost, what pruning and
// archiving a month cost and leave behind, and the same with a partition for each month. A million rows need half a gigabyte.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { PaymentHistory } from "@tillkit/core";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { type Database, openDatabase } from "@tillkit/sql";
import { startPostgres } from "../../../../test/postgres/start-postgres.ts";
import {
  beginOfMonth,
  fillHistory,
  fillMonth,
  MONTHS,
  paymentsOfMonth,
  ROWS_PER_PAYMENT,
} from "./history/fill-history.ts";
import { compare, during, gigabytes, type Slices, type Space, spaceOf } from "./history/measure.ts";
import { dropMonth, partitionByMonth, receiveInPartition } from "./history/monthly-partitions.ts";
import { psql } from "./history/psql.ts";

const MANY = Number(process.argv[2] ?? 50_000_000);
const FEW = Number(process.argv[3] ?? 100_000);
/** `tables`: without partitions. `partitions`: without pruning and archiving. */
const PART = process.argv[4] ?? "all";
const NOW = beginOfMonth(MONTHS);
const DAY_MS = 86_400_000;
/** A new delivery belongs to the twelfth month: the partition of a month that begins would be empty. */
const IN_FULL_MONTH = NOW - DAY_MS;
const PRUNED_ROWS_PER_CALL = 500;
const ARCHIVED_ROWS_PER_CALL = 2_000;

type Filled = {
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
  const few = await filled(servers[0].url, FEW);
  const many = await filled(servers[1].url, MANY);
  await measureTables(few, many);
  await measurePartitions(few, many);
  for (const { ledger, database } of [few, many]) await Promise.all([ledger.close(), database.close()]);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true });
}

async function measureTables(few: Filled, many: Filled): Promise<void> {
  say("one table each");
  await compareDaily(few, many, (one) => receive(one.ledger));
  if (PART === "partitions") return;
  await pruneMonth(many);
  await archiveMonths(many);
  await compareDaily(few, many, (one) => receive(one.ledger));
}

async function measurePartitions(few: Filled, many: Filled): Promise<void> {
  if (PART === "tables") return;
  say("a partition for each month");
  for (const { url } of [few, many]) await partitionByMonth(url);
  say(`partitioned: ${(await spaceOf(many.database)).gigabytes}`);
  await compareDaily(few, many, (one) => receiveInPartition(one.database, newDelivery()));
  const { seconds, operation } = await during(
    () => dropMonth(many.url, 1),
    () => receiveInPartition(many.database, newDelivery()),
  );
  say(`drop of a month: ${seconds.toFixed(1)} s, receive meanwhile ${text(operation)}`);
  say(`  after: ${(await spaceOf(many.database)).gigabytes}`);
}

async function filled(url: string, rows: number): Promise<Filled> {
  const ledger = await openLedger(url);
  const payments = Math.floor(rows / ROWS_PER_PAYMENT);
  await fillHistory(url, payments, (line) => say(`${rows.toLocaleString("en")} rows: ${line}`));
  const database = await openDatabase<object>(url);
  say(`${rows.toLocaleString("en")} rows: ${(await spaceOf(database)).gigabytes}`);
  return { url, ledger, database, payments };
}

async function compareDaily(few: Filled, many: Filled, receiveOne: (one: Filled) => Promise<unknown>): Promise<void> {
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
async function logOfWebhook(one: Filled, receiveOne: (one: Filled) => Promise<unknown>): Promise<string> {
  const COUNT = 1_000;
  await psql(one.url, "checkpoint");
  const before = await spaceOf(one.database);
  for (let done = 0; done < COUNT; done += 1) await receiveOne(one);
  return `${(((await spaceOf(one.database)).wal - before.wal) / COUNT / 1_000).toFixed(1)} KB`;
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

async function claim({ ledger }: Filled): Promise<void> {
  await ledger.commit({
    jobs: [{ kind: "confirm", storeId: "store-1", paymentId: null, payload: "", dueAt: NOW }],
    timeline: [],
  });
  const [job] = await ledger.claim({ worker: "bench", now: NOW, leaseMs: 60_000, limit: 10 });
  assert.ok(job);
  await ledger.commit({ finished: [job.id], timeline: [] });
}

async function addEntry({ ledger }: Filled): Promise<void> {
  const entry = { paymentId: randomUUID(), at: NOW, actor: "shopper", kind: "started", detail: "" } as const;
  assert.equal(await ledger.commit({ timeline: [entry] }), "done");
}

async function readPayment({ ledger, payments }: Filled): Promise<void> {
  // A payment of the newest nine months: the older ones are archived at the end.
  const number = Math.floor(payments * (0.25 + Math.random() * 0.75));
  const id = createHash("md5").update(`payment ${number}`).digest("hex");
  const [timeline, deliveries] = [
    await ledger.timeline({ paymentId: id }),
    await ledger.listDeliveries({ paymentId: id, limit: 50 }),
  ];
  assert.equal(timeline.length + deliveries.rows.length, ROWS_PER_PAYMENT);
}

/** The daily pruning of a server, for a month that was never pruned: it empties rows in place. */
async function pruneMonth({ ledger, database }: Filled): Promise<void> {
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
    `prune of a month: ${result.toLocaleString("en")} rows in ${seconds.toFixed(0)} s, receive meanwhile ${text(operation)}`,
  );
  sayChange(before, await spaceOf(database));
}

/** The oldest month is archived and a new month arrives, twice: what the first one left free must serve the second one. */
async function archiveMonths(many: Filled): Promise<void> {
  for (const month of [0, 1]) {
    const before = await spaceOf(many.database);
    const file = join(folder, `month-${month}.jsonl.gz`);
    const { result, seconds, operation } = await during(
      () => archiveTo(many.ledger, file, beginOfMonth(month + 1)),
      () => receive(many.ledger),
    );
    say(
      `archive of month ${month + 1}: ${result.toLocaleString("en")} rows in ${seconds.toFixed(0)} s, file ${gigabytes(statSync(file).size)}, receive meanwhile ${text(operation)}`,
    );
    const { held } = await leftOf(many, month);
    say(`  of held payments ${held.toLocaleString("en")} rows are left, of others none`);
    sayChange(before, await spaceOf(many.database));
    await psql(many.url, "vacuum tillkit_deliveries; ");
    await psql(many.url, "vacuum tillkit_timeline; ");
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
  let rows = 0;
  for (let after: string | null = ""; after !== null; ) {
    const position: { after?: string } = after === "" ? {} : { after };
    const request = { before, at: NOW, name: "bench", limit: ARCHIVED_ROWS_PER_CALL, write, ...position };
    const { deliveries, timelineEntries, next } = await ledger.archive(request);
    rows += deliveries + timelineEntries;
    after = next;
  }
  closeSync(file);
  return rows;
}

/** Fails if a row of a final payment is left of the month, or a row of a held payment is gone. */
async function leftOf({ url, payments }: Filled, month: number): Promise<{ readonly held: number }> {
  const { from, to } = paymentsOfMonth(payments, month);
  const until = beginOfMonth(month + 1) - 120_000;
  const [line = ""] = await psql(
    url,
    `select count(*) filter (where state = 'review'), count(*) filter (where state <> 'review') from (
       select payment_id from tillkit_timeline where kind <> 'archived' and at < ${until}
       union all select payment_id from tillkit_deliveries where received_at < ${until}) history
     join tillkit_payments on id = payment_id where created_at >= ${beginOfMonth(month)}`,
  );
  const [held = 0, others] = line.split("\t").map(Number);
  assert.equal(others, 0);
  assert.ok(Math.abs(held - ((to - from) / 300) * ROWS_PER_PAYMENT) <= 2 * ROWS_PER_PAYMENT);
  return { held };
}

function sayChange(before: Space, after: Space): void {
  say(`  log ${gigabytes(after.wal - before.wal)}, dead rows ${after.deadRows.toLocaleString("en")}`);
  say(`  before: ${before.gigabytes}`);
  say(`  after:  ${after.gigabytes}`);
}

function report(name: string, { few, many }: { readonly few: Slices; readonly many: Slices }): void {
  say(`${name.padEnd(26)} ${text(few)} → ${text(many)}: ${(many.median / few.median).toFixed(2)} ×`);
}

function text({ median, p99 }: Slices): string {
  return `${median.toFixed(2)} ms (p99 ${p99.toFixed(1)})`;
}

function say(line: string): void {
  const minutes = ((performance.now() - started) / 60_000).toFixed(1).padStart(5);
  console.log(`${minutes} min, load ${loadavg()[0]?.toFixed(1)}  ${line}`);
}
