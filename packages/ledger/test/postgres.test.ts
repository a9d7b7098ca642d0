import { setTimeout as sleep } from "node:timers/promises";
import type { OrderRef, Refund } from "@tillkit/core";
import type { NewJob } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { paymentLedgerContract } from "@tillkit/testkit/vitest";
import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startPostgres } from "../../../test/postgres/start-postgres.ts";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { archivedPaymentsStayAsTheyAre } from "./archived-payments.ts";
import { figuresAgree } from "./figures-agree.ts";
import { olderCredentialsMove } from "./older-credentials.ts";
import { olderTablesAreBroughtForward } from "./older-tables.ts";
import { pagesUseIndexes } from "./pages-use-indexes.ts";
import { processesShareALedger } from "./processes-share-a-ledger.ts";
import { tasksBecomeJobs } from "./tasks-become-jobs.ts";

const NOON = Date.UTC(2026, 0, 6, 12);
const ORDER: OrderRef = { storeId: "hats", orderId: "order-1" };
const REFUND: Refund = {
  key: "refund-1",
  paymentId: "p1",
  origin: "store",
  amount: { minor: 2000, currency: "XOF" },
  request: "{}",
  transactionId: "txn_1",
  state: "requested",
  refundId: null,
  requestedAt: 0,
  readOnlySince: null,
  mark: null,
  markReadAt: null,
  unmarkedKey: null,
  otherKeys: [],
};

const JOB: NewJob = { kind: "confirm", storeId: "hats", paymentId: "p1", payload: "", dueAt: NOON };

const postgres = await startPostgres();
const database = await openDatabase<object>(postgres.url);
beforeEach(async () => {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
});

paymentLedgerContract(postgres.isServer ? "the ledger on a PostgreSQL server" : "the ledger on PGlite", {
  open: () => openLedger(postgres.url, { secretKeys: ["a key of the tests, which is long enough"] }),
});

olderTablesAreBroughtForward("on PostgreSQL", () => postgres.url);
olderCredentialsMove("on PostgreSQL", () => postgres.url);
tasksBecomeJobs("on PostgreSQL", () => postgres.url);
figuresAgree("on PostgreSQL", () => postgres.url);
pagesUseIndexes("on PostgreSQL", () => postgres.url);
archivedPaymentsStayAsTheyAre("on PostgreSQL", () => postgres.url);

it("currentTime on PostgreSQL is the time of the database server", async () => {
  const ledger = await openLedger(postgres.url);
  const before = Date.now();
  const time = (await ledger.currentTime?.()) ?? 0;
  // The server of the tests runs on this machine, so both read the same clock, to the millisecond.
  expect(time).toBeGreaterThanOrEqual(before - 1);
  expect(time).toBeLessThanOrEqual(Date.now() + 1);
  await ledger.close();
});

it("a ledger on PostgreSQL that is opened for reading writes nothing, or is refused where the server ignores the wish", async () => {
  await expect(openLedger(postgres.url, { readOnly: true })).rejects.toMatchObject({
    code: postgres.isServer ? "database_older" : "database_not_opened",
  });
  if (!postgres.isServer) return;
  const writer = await openLedger(postgres.url);
  await writer.commit({ jobs: [JOB], timeline: [] });
  const reader = await openLedger(postgres.url, { readOnly: true });
  expect((await reader.listJobs({ limit: 10 })).rows).toHaveLength(1);
  await expect(reader.commit({ jobs: [JOB], timeline: [] })).rejects.toThrow(/read-only/);
  await reader.close();
  await writer.close();
});

it("secrets on PostgreSQL are encrypted again page by page, after which the old key can be removed", async () => {
  const [old, next] = ["the old key, which is long enough to encrypt", "the new key, which is long enough to encrypt"];
  const before = await openLedger(postgres.url, { secretKeys: [old] });
  // Locales sort capitals and accents differently, but the pages must have the same order on every server.
  const keyOf = (index: number) => ["hats", index % 2 === 0 ? "Token" : "token", `Été ${index}`] as const;
  for (let index = 0; index < 120; index += 1) await before.secrets.put(...keyOf(index), { index }, "new");
  await before.close();
  const rotating = await openLedger(postgres.url, { secretKeys: [next, old] });
  expect(await rotating.reencryptSecrets()).toBe(120);
  expect(await rotating.reencryptSecrets()).toBe(0);
  await rotating.close();
  const after = await openLedger(postgres.url, { secretKeys: [next] });
  for (const index of [0, 1, 119]) expect((await after.secrets.get(...keyOf(index)))?.value).toEqual({ index });
  await after.close();
});

const skipNote = postgres.isServer ? "" : " (skipped: no PostgreSQL server on this machine)";
describe.skipIf(!postgres.isServer)(`with a server${skipNote}`, () => {
  processesShareALedger("on PostgreSQL", () => postgres.url);

  it("new jobs wake the workers of another process, also after the listening connection was cut", async () => {
    const [here, there] = [await openLedger(postgres.url), await openLedger(postgres.url)];
    let wakeUps = 0;
    here.onNewJobs?.(() => {
      wakeUps += 1;
    });
    await waitForListeners(1);
    await there.commit({ jobs: [JOB], timeline: [] });
    await waitFor(() => expect(wakeUps).toBeGreaterThan(0));

    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tillkit listener'`.execute(
      database.db,
    );
    wakeUps = 0;
    await waitFor(() => expect(wakeUps).toBeGreaterThan(0));
    wakeUps = 0;
    await there.receive([{ endpointId: "endpoint-1", digest: "d", bytes: new Uint8Array(), receivedAt: NOON }]);
    await waitFor(() => expect(wakeUps).toBeGreaterThan(0));
    await here.close();
    await there.close();
    await waitForListeners(0);
  });

  it("no process can lock an order between the fence check and the commit", async () => {
    const ledger = await openLedger(postgres.url);
    const fence = (await ledger.lockOrder(ORDER, "slow", NOON, 60_000)) ?? 0;
    await ledger.commit({ refunds: [REFUND], timeline: [] });
    const results: string[] = [];
    // This transaction locks the refund's row, which the commit writes after its fence check.
    await database.transaction(async (session) => {
      await sql`select 1 from tillkit_refunds for update`.execute(session);
      const commit = ledger.commit({ fence: { ref: ORDER, value: fence }, refunds: [REFUND], timeline: [] });
      void commit.then((answer) => results.push(`commit ${answer}`));
      await waitForBlockedConnections(1);
      const lock = ledger.lockOrder(ORDER, "next", NOON + 60_000, 60_000);
      void lock.then((newer) => results.push(`fence ${newer}`));
      await waitForBlockedConnections(2);
      expect(results).toEqual([]);
    });
    await ledger.close();
    // The two results arrive on two connections, in any order.
    expect(results.sort()).toEqual(["commit done", "fence 2"]);
  });
});

/** Waits until this many connections listen. */
async function waitForListeners(count: number): Promise<void> {
  await waitFor(async () => {
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from pg_stat_activity
      where application_name = 'tillkit listener'`.execute(database.db);
    expect(rows[0]?.open).toBe(count);
  });
}

/** Waits until this many connections wait for a lock. */
async function waitForBlockedConnections(count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity where wait_event_type = 'Lock'`.execute(database.db);
    if (rows[0]?.waiting === count) return;
    await sleep(10);
  }
}
