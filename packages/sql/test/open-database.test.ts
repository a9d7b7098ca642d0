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
  it("makes the file and the folders that do not exist yet", async () => {
    const database = await openDatabase<object>(`sqlite:${join(folder, "new/deep/shop.db")}`);
    await database.migrate({ owner: "shop", steps: [{ name: "0001-hats", sqlite: "create table hats (id text)" }] });
    await database.close();
    const again = await openDatabase<object>(`sqlite:${join(folder, "new/deep/shop.db")}`);
    expect((await sql`select * from hats`.execute(again.db)).rows).toEqual([]);
    await again.close();
  });

  it("survives the loss of power: every commit is on the disk before it is answered", async () => {
    const database = await openDatabase<object>(`sqlite:${join(folder, "shop.db")}`);
    expect(await pragma(database, "synchronous")).toBe(2);
    expect(await pragma(database, "journal_mode")).toBe("wal");
    expect(await pragma(database, "foreign_keys")).toBe(1);
    await database.close();
  });

  it("waits while another program that has just made the file still writes to it", async () => {
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

  it("gives up, and says why, when another program never lets go of the file", { timeout: 20_000 }, async () => {
    const file = join(folder, "shop.db");
    const { DatabaseSync } = await loadSqlite();
    const other = new DatabaseSync(file);
    other.exec("create table hats (id text); begin exclusive");
    await expect(openDatabase(`sqlite:${file}`)).rejects.toMatchObject({ code: "database_busy" });
    other.close();
  });

  it("uses a version of SQLite whose write-ahead log is safe with several processes", async () => {
    const database = await openDatabase<object>("sqlite::memory:");
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(database.db);
    const [major = 0, minor = 0, patch = 0] = (rows[0]?.version ?? "").split(".").map(Number);
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003);
    await database.close();
  });

  it("says in one sentence what is wrong with a file that is no database", async () => {
    const file = join(folder, "notes.txt");
    writeFileSync(file, "These are my notes, not a database. ".repeat(50));
    await expect(openDatabase(`sqlite:${file}`)).rejects.toMatchObject({
      code: "database_not_opened",
      message: expect.stringMatching(/notes\.txt cannot be opened: .*not a database/),
    });
  });

  it("says in one sentence that a folder cannot be made", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(openDatabase(`sqlite:${join(file, "shop.db")}`)).rejects.toMatchObject({
      code: "database_not_opened",
    });
  });

  it("names an engine that it has no driver for, without repeating the password", async () => {
    const refusal = await openDatabase("mysql://shop:hunter2@db/shop").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "engine_not_supported", message: expect.stringMatching(/for mysql/) });
    expect(inspect(refusal)).not.toContain("hunter2");
  });

  it.each([
    ["nobody listens", "postgres://shop:hunter2@127.0.0.1:1/shop", "database_not_opened"],
    ["the password breaks the address", "postgres://shop:hunter2/#@db.example:x/shop", "database_url_invalid"],
  ])(
    "says what is wrong with a PostgreSQL address when %s, without repeating the password",
    async (_case, url, code) => {
      const refusal = await openDatabase(url).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code });
      expect(inspect(refusal)).not.toContain("hunter2");
    },
  );

  it.each(["", "sqlite:", "shop.db", "postgres:shop"])("refuses the address %j", async (url) => {
    await expect(openDatabase(url)).rejects.toMatchObject({ code: "database_url_invalid" });
  });
});

describe("a value that the database would silently change", () => {
  it.each([
    ["a Date", new Date(0)],
    ["undefined", undefined],
    ["a truth value", true],
  ])("%s is refused when it is bound", async (_name, value) => {
    const database = await openDatabase<object>("sqlite::memory:");
    await expect(sql`select ${value}`.execute(database.db)).rejects.toMatchObject({ code: "value_not_storable" });
    await database.close();
  });
});

describe("reading row by row", () => {
  it("leaves nothing behind when the reader stops early", async () => {
    const database = await openDatabase<{ hats: { id: number } }>("sqlite::memory:");
    await database.migrate({
      owner: "shop",
      steps: [{ name: "0001-hats", sqlite: "create table hats (id integer); insert into hats values (1), (2), (3)" }],
    });
    const hats = database.db.selectFrom("hats").select("id").orderBy("id");
    for await (const { id } of hats.stream()) if (id === 2) break;
    const seen: number[] = [];
    for await (const { id } of hats.stream()) seen.push(id);
    expect(seen).toEqual([1, 2, 3]);
    await database.transaction((session) => session.deleteFrom("hats").execute());
    expect(await hats.execute()).toEqual([]);
    await database.close();
  });
});
