import { createHook } from "node:async_hooks";
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@tillkit/sql";
import { Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGroupCommit } from "../src/sqlite/group-commit.ts";
import { createSqliteDialect } from "../src/sqlite/sqlite-dialect.ts";
import { loadSqlite, type SqliteHandle } from "../src/sqlite/sqlite-handle.ts";
import { createWalFlush, type WalFlush } from "../src/sqlite/wal-flush.ts";

let folder: string;
let file: string;
let handle: SqliteHandle;
const openFlushes: WalFlush[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-sql-"));
  file = join(folder, "shop.db");
  const { DatabaseSync } = await loadSqlite();
  handle = new DatabaseSync(file);
  handle.exec("pragma journal_mode = wal; pragma synchronous = full; create table hats (id text) strict");
});
afterEach(async () => {
  for (const wal of openFlushes.splice(0)) await wal.close();
  handle.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a function that adds a hat in a transaction of its own. Transactions that start together share a commit. */
function createAddHat(wal: WalFlush) {
  openFlushes.push(wal);
  const db = new Kysely<object>({ dialect: createSqliteDialect(handle) });
  const group = createGroupCommit({ db, handle, wal, scheduleCommit: setImmediate });
  return (id: string) => group.write((session) => sql`insert into hats values (${id})`.execute(session));
}

const countHats = () => handle.prepare("select id from hats").all().length;

describe("the flush of a commit", () => {
  it("a transaction on a file resolves after the disk was flushed, and not before", async () => {
    const order: string[] = [];
    let finishFlush = () => {};
    const flush = () =>
      new Promise<void>((resolve) => {
        order.push(`${countHats()} committed`);
        finishFlush = resolve;
      });
    const addHat = createAddHat({ assertWorks() {}, flush, close: async () => {} });
    const adding = addHat("bowler").then(() => order.push("resolved"));
    await expect.poll(() => order).toEqual(["1 committed"]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(order).toEqual(["1 committed"]);
    finishFlush();
    await adding;
    expect(order).toEqual(["1 committed", "resolved"]);
  });

  it("the event loop goes on during a flush, and reads see what was committed", async () => {
    const addHat = createAddHat(createWalFlush(file));
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 0);
    for (let hat = 0; hat < 20; hat += 1) await addHat(`hat-${hat}`);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
    expect(countHats()).toBe(20);
  });

  it("each transaction of an open database waits for one flush of the disk", async () => {
    const database = await openDatabase<object>(`sqlite:${file}`);
    const addHat = () => database.transaction((session) => sql`insert into hats values ('fez')`.execute(session));
    await addHat();
    // Node's requests to the file system outside of SQLite: only the flush makes them.
    let requests = 0;
    const hook = createHook({
      init(_id, type) {
        if (type.startsWith("FSREQ")) requests += 1;
      },
    }).enable();
    for (let hat = 0; hat < 3; hat += 1) await addHat();
    hook.disable();
    expect(requests).toBe(3);
    await database.close();
  });

  it("a write beside the transactions keeps SQLite's own flush", async () => {
    const addHat = createAddHat(createWalFlush(file));
    await addHat("bowler");
    const full = 2;
    expect(handle.prepare("pragma synchronous").all()).toEqual([{ synchronous: full }]);
  });
});

describe("a disk that fails to flush", () => {
  it("every transaction of a commit that cannot be flushed fails, and no later transaction is accepted", async () => {
    let isDiskBroken = true;
    const failing = (async (...args: Parameters<typeof open>) => {
      const opened = await open(...args);
      opened.datasync = async () => {
        if (isDiskBroken) throw new Error("EIO: i/o error, fdatasync");
      };
      return opened;
    }) as typeof open;
    const wal = createWalFlush(file, failing);
    const addHat = createAddHat(wal);
    const refusal = { code: "database_not_durable", message: expect.stringContaining("EIO") };
    const outcomes = await Promise.allSettled([addHat("bowler"), addHat("fez")]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: refusal });
    isDiskBroken = false;
    const before = countHats();
    await expect(addHat("cap")).rejects.toMatchObject(refusal);
    expect(countHats()).toBe(before);
  });
});
