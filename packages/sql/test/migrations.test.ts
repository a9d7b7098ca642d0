import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MigrationHistory, openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { bundleProgram } from "../../../test/programs/bundle-program.ts";

const FIRST = { name: "0001-hats", sqlite: "create table hats (id text) strict" };
const SECOND = {
  name: "0002-prices",
  sqlite: "alter table hats add column price integer; insert into hats values ('fez', 1)",
};
const history = (...steps: MigrationHistory["steps"]): MigrationHistory => ({ owner: "shop", steps });
/** Today's history: one first step in the place of two older ones. Databases of the second one are brought forward. */
const SQUASHED: MigrationHistory = {
  owner: "shop",
  steps: [
    { name: "0001-all", sqlite: "create table hats (id text, price integer, color text) strict" },
    { name: "0002-shoes", sqlite: "create table shoes (id text) strict" },
  ],
  upgrades: [{ from: ["0001-hats", "0002-prices"], sqlite: "alter table hats add column color text" }],
};

let folder: string;
let url: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-sql-"));
  url = `sqlite:${join(folder, "shop.db")}`;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("migrations on SQLite", () => {
  it("each migration is applied once and in order, however often the program starts", async () => {
    for (const steps of [[FIRST], [FIRST, SECOND], [FIRST, SECOND]]) {
      const database = await openDatabase<object>(url);
      await database.migrate(history(...steps));
      await database.migrate(history(...steps));
      await database.close();
    }
    const database = await openDatabase<object>(url);
    expect((await sql`select * from hats`.execute(database.db)).rows).toEqual([{ id: "fez", price: 1 }]);
    await database.close();
  });

  it("several owners share one database", async () => {
    const database = await openDatabase<object>("sqlite::memory:");
    await database.migrate(history(FIRST));
    await database.migrate({
      owner: "warehouse",
      steps: [{ name: "0001-shelves", sqlite: "create table shelves (id)" }],
    });
    await database.migrate(history(FIRST, SECOND));
    expect((await sql`select * from shelves`.execute(database.db)).rows).toEqual([]);
    await database.close();
  });

  it("a failed migration is rolled back, and the migrations before it are kept", async () => {
    const database = await openDatabase<object>(url);
    const broken = { name: "0002-broken", sqlite: "create table half (id text); create table hats (id text)" };
    await expect(database.migrate(history(FIRST, broken))).rejects.toThrow(/hats already exists/);
    await expect(sql`select * from half`.execute(database.db)).rejects.toThrow(/no such table/);
    await database.migrate(history(FIRST, SECOND));
    expect((await sql`select * from hats`.execute(database.db)).rows).toHaveLength(1);
    await database.close();
  });

  it("a database that is newer than the program is rejected with a remedy", async () => {
    const database = await openDatabase<object>(url);
    await database.migrate(history(FIRST, SECOND));
    await expect(database.migrate(history(FIRST))).rejects.toMatchObject({
      code: "database_newer",
      message: expect.stringMatching(/newer version of shop .*0002-prices.*update the program/),
    });
    await database.close();
  });

  it("a database of a replaced history is brought forward once, and then follows today's history", async () => {
    const database = await openDatabase<object>(url);
    await database.migrate(history(FIRST, SECOND));
    for (let start = 0; start < 2; start += 1) await database.migrate(SQUASHED);
    expect((await sql`select * from hats`.execute(database.db)).rows).toEqual([{ id: "fez", price: 1, color: null }]);
    expect((await sql`select * from shoes`.execute(database.db)).rows).toEqual([]);
    const { rows } = await sql`select position, name from tillkit_migrations order by position`.execute(database.db);
    expect(rows).toEqual([
      { position: 0, name: "0001-all" },
      { position: 1, name: "0002-shoes" },
    ]);
    await expect(database.migrate(history(FIRST, SECOND))).rejects.toMatchObject({ code: "database_newer" });
    await database.close();
  });

  it("a database in the middle of a replaced history is rejected with a remedy, and stays as it is", async () => {
    const database = await openDatabase<object>(url);
    await database.migrate(history(FIRST));
    await expect(database.migrate(SQUASHED)).rejects.toMatchObject({
      code: "database_older",
      message: expect.stringMatching(/older version of shop .*"0001-hats".*"0002-prices".*open it once with a version/),
    });
    await database.migrate(history(FIRST, SECOND));
    expect((await sql`select * from hats`.execute(database.db)).rows).toHaveLength(1);
    await database.close();
  });

  it("a database that went on after a replaced history is newer than the program", async () => {
    const database = await openDatabase<object>(url);
    await database.migrate(history(FIRST, SECOND, { name: "0003-socks", sqlite: "create table socks (id text)" }));
    await expect(database.migrate(SQUASHED)).rejects.toMatchObject({
      code: "database_newer",
      message: expect.stringContaining('"0003-socks"'),
    });
    await database.close();
  });

  it("eight processes that start for the first time at once all migrate successfully", async () => {
    const program = await bundleProgram(new URL("programs/start.ts", import.meta.url));
    onTestFinished(program.remove);
    const starts = Array.from({ length: 8 }, () => fork(program.file, [url], { execArgv: [] }));
    // All processes load the code before any of them opens the database.
    await Promise.all(starts.map((start) => once(start, "message")));
    for (const start of starts) start.send("go");
    const exits = await Promise.all(starts.map((start) => once(start, "exit")));
    expect(exits.map(([code]) => code)).toEqual(Array(8).fill(0));
    const database = await openDatabase<object>(url);
    // Twenty of the program's migrations add one row each.
    expect((await sql`select * from steps order by id`.execute(database.db)).rows).toHaveLength(20);
    await database.close();
  });
});
