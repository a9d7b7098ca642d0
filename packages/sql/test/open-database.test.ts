import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { type Database, openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSqlite } from "../src/sqlite/sqlite-handle.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-sql-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function pragma(database: Database<object>, name: string): Promise<unknown> {
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(database.db);
  return Object.values(rows[0] ?? {})[0];
}

describe("opening a database", () => {
  it("the file and its missing folders are created", async () => {
    const database = await openDatabase<object>(`sqlite:${join(folder, "new/deep/shop.db")}`);
    await database.migrate({ owner: "shop", steps: [{ name: "0001-hats", sqlite: "create table hats (id text)" }] });
    await database.close();
    const again = await openDatabase<object>(`sqlite:${join(folder, "new/deep/shop.db")}`);
    expect((await sql`select * from hats`.execute(again.db)).rows).toEqual([]);
    await again.close();
  });

  it("every commit is on the disk before it resolves, so that it survives a power loss", async () => {
    const database = await openDatabase<object>(`sqlite:${join(folder, "shop.db")}`);
    const full = 2;
    expect(await pragma(database, "synchronous")).toBe(full);
    expect(await pragma(database, "journal_mode")).toBe("wal");
    expect(await pragma(database, "foreign_keys")).toBe(1);
    await database.close();
  });

  it("opening waits while another program still writes to the new file", async () => {
    const file = join(folder, "shop.db");
    const { DatabaseSync } = await loadSqlite();
    const other = new DatabaseSync(file);
    other.exec("begin immediate; create table hats (id text)");
    const opening = openDatabase<object>(`sqlite:${file}`);
    await sleep(100);
    other.exec("commit");
    const database = await opening;
    expect(await pragma(database, "journal_mode")).toBe("wal");
    expect((await sql`select * from hats`.execute(database.db)).rows).toEqual([]);
    other.close();
    await database.close();
  });

  it("opening fails with database_busy when another program keeps the file locked", async () => {
    const file = join(folder, "shop.db");
    const { DatabaseSync } = await loadSqlite();
    const other = new DatabaseSync(file);
    other.exec("create table hats (id text); begin exclusive");
    await expect(openDatabase(`sqlite:${file}`)).rejects.toMatchObject({ code: "database_busy" });
    other.close();
  });

  it("the version of SQLite has a write-ahead log that is safe with several processes", async () => {
    const database = await openDatabase<object>("sqlite::memory:");
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(database.db);
    const [major = 0, minor = 0, patch = 0] = (rows[0]?.version ?? "").split(".").map(Number);
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003);
    await database.close();
  });

  it("the error about a file that is no database names the file and the reason", async () => {
    const file = join(folder, "notes.txt");
    writeFileSync(file, "These are my notes, not a database. ".repeat(50));
    await expect(openDatabase(`sqlite:${file}`)).rejects.toMatchObject({
      code: "database_not_opened",
      message: expect.stringMatching(/notes\.txt cannot be opened: .*not a database/),
    });
  });

  it("a folder that cannot be created is reported as database_not_opened", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(openDatabase(`sqlite:${join(file, "shop.db")}`)).rejects.toMatchObject({
      code: "database_not_opened",
    });
  });

  it("the error about an engine without a driver names the engine and not the password", async () => {
    const refusal = await openDatabase("mysql://shop:hunter2@db/shop").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "engine_not_supported", message: expect.stringMatching(/for mysql/) });
    expect(inspect(refusal)).not.toContain("hunter2");
  });

  it.each([
    ["nothing listens", "postgres://shop:hunter2@127.0.0.1:1/shop", "database_not_opened"],
    ["the password breaks the address", "postgres://shop:hunter2/#@db.example:x/shop", "database_url_invalid"],
  ])("the error about a PostgreSQL address does not show the password when %s", async (_case, url, code) => {
    const refusal = await openDatabase(url).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code });
    expect(inspect(refusal)).not.toContain("hunter2");
  });

  it.each(["", "sqlite:", "shop.db", "postgres:shop"])("the address %j is rejected", async (url) => {
    await expect(openDatabase(url)).rejects.toMatchObject({ code: "database_url_invalid" });
  });
});

describe("a value that SQLite would silently convert", () => {
  it.each([
    ["a Date", new Date(0)],
    ["undefined", undefined],
    ["a boolean", true],
  ])("%s is rejected as a value on SQLite", async (_name, value) => {
    const database = await openDatabase<object>("sqlite::memory:");
    await expect(sql`select ${value}`.execute(database.db)).rejects.toMatchObject({ code: "value_not_storable" });
    await database.close();
  });
});

describe("streaming rows", () => {
  it("a stream that stops early leaves no open statement", async () => {
    const database = await openDatabase<{ hats: { id: number } }>("sqlite::memory:");
    await database.migrate({
      owner: "shop",
      steps: [{ name: "0001-hats", sqlite: "create table hats (id integer); insert into hats values (1), (2), (3)" }],
    });
    const hats = database.db.selectFrom("hats").select("id").orderBy("id");
    for await (const { id } of hats.stream()) if (id === 2) break;
    const ids: number[] = [];
    for await (const { id } of hats.stream()) ids.push(id);
    expect(ids).toEqual([1, 2, 3]);
    await database.transaction((session) => session.deleteFrom("hats").execute());
    expect(await hats.execute()).toEqual([]);
    await database.close();
  });
});
