import { setTimeout as sleep } from "node:timers/promises";
import type { NewJob, OrderRef, Refund } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { paymentLedgerContract } from "@tillkit/testkit/vitest";
import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { processesShareALedger } from "./processes-share-a-ledger.ts";
import { startPostgres } from "./start-postgres.ts";

const NOON = Date.UTC(2026, 0, 6, 12);
const ORDER: OrderRef = { storeId: "hats", orderId: "order-1" };
const REFUND: Refund = {
  key: "refund-1",
  paymentId: "p1",
  origin: "store",
  amount: { minor: 2000, currency: "XOF" },
  request: "{}",
  transactionId: "txn_1",
  state: "asked",
  refundId: null,
  askedAt: 0,
  readOnlySince: null,
  otherKeys: [],
};

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
  open: () => openLedger(postgres.url, { secretKeys: ["a key of the tests, long enough to seal"] }),
});

it("tells what time its own machine says it is", async () => {
  const ledger = await openLedger(postgres.url);
  expect(Math.abs(((await ledger.currentTime?.()) ?? 0) - Date.now())).toBeLessThan(5_000);
  await ledger.close();
});

it("seals its secrets anew under a new key, page by page, after which the old one can go", async () => {
  const [old, next] = ["the key of before, long enough to seal", "the key of today, long enough to seal"];
  const before = await openLedger(postgres.url, { secretKeys: [old] });
  const row = (index: number) => ["hats", index % 2 === 0 ? "Token" : "token", `Été ${index}`] as const;
  for (let index = 0; index < 120; index += 1) await before.secrets.put(...row(index), { index }, "new");
  await before.close();
  const rotating = await openLedger(postgres.url, { secretKeys: [next, old] });
  expect(await rotating.resealSecrets()).toBe(120);
  expect(await rotating.resealSecrets()).toBe(0);
  await rotating.close();
  const after = await openLedger(postgres.url, { secretKeys: [next] });
  for (const index of [0, 1, 119]) expect((await after.secrets.get(...row(index)))?.value).toEqual({ index });
  await after.close();
});

const reason = postgres.isServer ? "" : " (skipped: no PostgreSQL server on this machine)";
describe.skipIf(!postgres.isServer)(`with a server${reason}`, () => {
  processesShareALedger("on PostgreSQL", () => postgres.url);

  it("wakes the workers of another process, also after the connection that listens was cut", async () => {
    const [here, there] = [await openLedger(postgres.url), await openLedger(postgres.url)];
    let heard = 0;
    here.onNewJobs?.(() => {
      heard += 1;
    });
    await listening(1);
    await there.commit({ jobs: [job()], timeline: [] });
    await vi.waitFor(() => expect(heard).toBeGreaterThan(0));

    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tillkit listener'`.execute(
      database.db,
    );
    heard = 0;
    await vi.waitFor(() => expect(heard).toBeGreaterThan(0), 10_000);
    heard = 0;
    await there.receive([{ endpointId: "endpoint-1", digest: "d", bytes: new Uint8Array(), receivedAt: NOON }]);
    await vi.waitFor(() => expect(heard).toBeGreaterThan(0));
    await here.close();
    await there.close();
    await listening(0);
  });

  it("lets nobody lock an order between the look at the fence and the commit under it", async () => {
    const ledger = await openLedger(postgres.url);
    const fence = (await ledger.lockOrder(ORDER, "slow", NOON, 60_000)) ?? 0;
    await ledger.commit({ refunds: [REFUND], timeline: [] });
    const happened: string[] = [];
    // Somebody keeps the row that the commit writes after it looked at the fence.
    await database.transaction(async (session) => {
      await sql`select 1 from tillkit_refunds for update`.execute(session);
      const commit = ledger.commit({ fence: { ref: ORDER, value: fence }, refunds: [REFUND], timeline: [] });
      void commit.then((answer) => happened.push(`commit ${answer}`));
      await waitsForALock(1);
      const lock = ledger.lockOrder(ORDER, "next", NOON + 60_000, 60_000);
      void lock.then((newer) => happened.push(`fence ${newer}`));
      await waitsForALock(2);
      expect(happened).toEqual([]);
    });
    await ledger.close();
    // Two connections: which of the two answers is heard first says nothing.
    expect(happened.sort()).toEqual(["commit done", "fence 2"]);
  });
});

function job(): NewJob {
  return { kind: "confirm", storeId: "hats", paymentId: "p1", payload: "", dueAt: NOON };
}

/** Until so many connections listen. */
async function listening(count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from pg_stat_activity
      where application_name = 'tillkit listener' and query ilike 'listen%'`.execute(database.db);
    expect(rows[0]?.open).toBe(count);
  }, 10_000);
}

/** Until so many connections stand still because of another's lock. */
async function waitsForALock(count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity where wait_event_type = 'Lock'`.execute(database.db);
    if (rows[0]?.waiting === count) return;
    await sleep(10);
  }
}
