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
