import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TimelineEntry } from "@tillkit/core";
import type { NewJob } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { olderCredentialsMove } from "./older-credentials.ts";
import { olderTablesAreBroughtForward } from "./older-tables.ts";
import { tasksBecomeJobs } from "./tasks-become-jobs.ts";

const NOON = Date.UTC(2026, 0, 6, 12);
const JOB: NewJob = { kind: "confirm", storeId: "hats", paymentId: "p1", payload: "", dueAt: NOON };
const ENTRY: TimelineEntry = { paymentId: "p1", at: NOON, actor: "shopper", kind: "started" };

let folder: string;
let url: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-ledger-"));
  url = `sqlite:${join(folder, "ledger.db")}`;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

olderTablesAreBroughtForward("on SQLite", () => url);
olderCredentialsMove("on SQLite", () => url);
tasksBecomeJobs("on SQLite", () => url);

describe("opening a ledger", () => {
  it("a reopened ledger keeps its jobs, timeline, leases and fences", async () => {
    const before = await openLedger(url);
    await before.commit({ jobs: [JOB, { ...JOB, dueAt: NOON + 1 }], timeline: [ENTRY] });
    await before.claim({ worker: "before", now: NOON, leaseMs: 60_000, limit: 1 });
    await before.lockOrder({ storeId: "hats", orderId: "order-1" }, "before", NOON, 60_000);
    await before.close();

    const after = await openLedger(url);
    expect(await after.timeline({ paymentId: "p1" })).toEqual([ENTRY]);
    expect(await after.claim({ worker: "after", now: NOON + 1, leaseMs: 60_000, limit: 9 })).toHaveLength(1);
    expect(await after.claim({ worker: "after", now: NOON + 60_000, leaseMs: 60_000, limit: 9 })).toHaveLength(1);
    expect(await after.lockOrder({ storeId: "hats", orderId: "order-1" }, "after", NOON + 1, 60_000)).toBeNull();
    expect(await after.lockOrder({ storeId: "hats", orderId: "order-1" }, "after", NOON + 60_000, 60_000)).toBe(2);
    await after.close();
  });

  it("the id of a finished job is never used again, so that a late worker cannot finish another job", async () => {
    const ledger = await openLedger(url);
    await ledger.commit({ jobs: [JOB], timeline: [] });
    const [done] = await ledger.claim({ worker: "one", now: NOON, leaseMs: 60_000, limit: 1 });
    await ledger.commit({ finished: [done?.id ?? ""], timeline: [] });
    await ledger.commit({ jobs: [JOB], timeline: [] });
    await ledger.commit({ finished: [done?.id ?? ""], timeline: [] });
    expect(await ledger.claim({ worker: "two", now: NOON, leaseMs: 60_000, limit: 1 })).toHaveLength(1);
    await ledger.close();
  });

  // A database that distributes its rows by store demands the store in each rule of uniqueness. The scaling guide names these.
  it("each rule of uniqueness names the store, except those that a split by store would have to change", async () => {
    const ledger = await openLedger(url);
    const { db, close } = await openDatabase<object>(url);
    const { rows } = await sql<{ rule: string }>`
      select list.tbl_name || ' (' || group_concat(col.name, ', ') || ')' as rule
      from sqlite_master list, pragma_index_list(list.name) idx, pragma_index_info(idx.name) col
      where list.type = 'table' and list.name like 'tillkit%' and idx."unique" = 1
      group by list.name, idx.name order by rule`.execute(db);
    const rules = rows.map(({ rule }) => rule.replaceAll("tillkit_", ""));
    expect(rules.filter((rule) => !rule.includes("store_id"))).toEqual([
      "budgets (credential_id, name)",
      "credentials (id)",
      "credentials (id, environment)",
      "deliveries (endpoint_id, digest)",
      "disputes (id)",
      "migrations (owner, position)",
      "payments (id)",
      "payments (session_id)",
      "refunds (key)",
      "transactions (payment_id, id)",
      "versions (name)",
    ]);
    expect(rules.filter((rule) => rule.includes("store_id")).length).toBeGreaterThan(7);
    await close();
    await ledger.close();
  });

  it("a ledger shares a file with a shop's own tables, because its table names start with tillkit_", async () => {
    const shop = await openDatabase<object>(url);
    const tables = ["payments", "jobs", "timeline", "records"].map((table) => `create table ${table} (id text);`);
    await shop.migrate({ owner: "shop", steps: [{ name: "0001-own", sqlite: tables.join("\n") }] });
    const ledger = await openLedger(url);
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_schema where type in ('table', 'index') and name not like 'sqlite_%'`.execute(shop.db);
    const others = rows.map(({ name }) => name).filter((name) => !name.startsWith("tillkit_"));
    expect(others.sort()).toEqual(["jobs", "payments", "records", "timeline"]);
    await ledger.close();
    await shop.close();
  });

  it("a dead-letter job keeps the error of its last attempt", async () => {
    const ledger = await openLedger(url);
    await ledger.commit({ jobs: [JOB], timeline: [] });
    const [job] = await ledger.claim({ worker: "one", now: NOON, leaseMs: 60_000, limit: 1 });
    const error = { code: "reconnect", message: "the store's owner must renew the connection." };
    await ledger.commit({ retried: [{ id: job?.id ?? "", dueAt: null, error }], timeline: [] });
    await ledger.close();
    const database = await openDatabase<object>(url);
    const { rows } = await sql`select ready_at, worker, attempts, error_code, error from tillkit_jobs`.execute(
      database.db,
    );
    expect(rows).toEqual([{ ready_at: null, worker: null, attempts: 1, error_code: error.code, error: error.message }]);
    await database.close();
  });

  it("a ledger that is opened for reading shows everything, and its database refuses every write", async () => {
    const writer = await openLedger(url);
    await writer.commit({ jobs: [JOB], timeline: [ENTRY] });
    const reader = await openLedger(url, { readOnly: true });
    expect(await reader.timeline({ paymentId: "p1" })).toEqual([ENTRY]);
    await expect(reader.commit({ jobs: [JOB], timeline: [ENTRY] })).rejects.toMatchObject({
      code: "database_read_only",
    });
    // What another process commits meanwhile is seen.
    await writer.commit({ timeline: [{ ...ENTRY, at: NOON + 1 }] });
    expect(await reader.timeline({ paymentId: "p1" })).toHaveLength(2);
    expect((await reader.listJobs({ limit: 10 })).rows).toHaveLength(1);
    await reader.close();
    await writer.close();
    const database = await openDatabase<object>(url, { readOnly: true });
    await expect(sql`delete from tillkit_timeline`.execute(database.db)).rejects.toThrow(/readonly/);
    await database.close();
  });

  it("opening for reading creates no file and brings no tables forward", async () => {
    await expect(openLedger(url, { readOnly: true })).rejects.toMatchObject({ code: "database_not_opened" });
    expect(existsSync(url.replace("sqlite:", ""))).toBe(false);
    await (await openDatabase<object>(url)).close();
    await expect(openLedger(url, { readOnly: true })).rejects.toMatchObject({ code: "database_older" });
    const database = await openDatabase<object>(url);
    expect((await sql`select name from sqlite_schema`.execute(database.db)).rows).toEqual([]);
    await database.close();
  });

  it("an address without an engine is rejected as database_url_invalid", async () => {
    await expect(openLedger("ledger.db")).rejects.toMatchObject({ code: "database_url_invalid" });
  });
});
