import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundleProgram, type Program } from "../../../test/programs/bundle-program.ts";
import { loadSqlite } from "../src/sqlite/sqlite-handle.ts";

type Shop = { hats: { id: string } };

const HISTORY = {
  owner: "shop",
  steps: [{ name: "0001-hats", sqlite: "create table hats (id text primary key) strict" }],
};
/** A timer of ten milliseconds fires about 500 times in the five seconds of a wait, and never while the thread is blocked. */
const MIN_TICKS = 50;

let program: Program;
let folder: string;
let url: string;
let neighbour: ChildProcess | null = null;
beforeAll(async () => {
  program = await bundleProgram(new URL("programs/hold-lock.ts", import.meta.url));
});
afterAll(() => program.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-frozen-"));
  url = `sqlite:${join(folder, "shop.db")}`;
});
afterEach(async () => {
  neighbour?.kill("SIGKILL");
  neighbour = null;
  rmSync(folder, { recursive: true, force: true });
});

/** Starts another process that holds a lock of the file, and freezes it. */
async function freezeNeighbour(): Promise<ChildProcess> {
  neighbour = fork(program.file, [url], { execArgv: [] });
  expect(await once(neighbour, "message")).toEqual(["held", undefined]);
  neighbour.kill("SIGSTOP");
  return neighbour;
}

/** Runs `work` and counts how often a timer of ten milliseconds fires meanwhile. */
async function countTicks<Result>(
  work: () => Promise<Result>,
): Promise<{ ticks: number; result: Result | { code: unknown } }> {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 10);
  const result = await work().catch((error: unknown) => ({ code: (error as { code?: unknown }).code }));
  clearInterval(timer);
  return { ticks, result };
}

async function openShop(): Promise<Database<Shop>> {
  const shop = await openDatabase<Shop>(url);
  await shop.migrate(HISTORY);
  return shop;
}

const addHat = (shop: Database<Shop>, id: string) =>
  shop.transaction(async (session) => {
    await session.insertInto("hats").values({ id }).execute();
    return id;
  });
const hats = async (shop: Database<Shop>) =>
  (await shop.db.selectFrom("hats").select("id").execute()).map(({ id }) => id);

describe("a neighbour that is frozen inside its transaction on a SQLite file", () => {
  it("the event loop keeps turning while a transaction waits for a frozen process, and the wait ends with database_busy", async () => {
    const shop = await openShop();
    await freezeNeighbour();
    const { ticks, result } = await countTicks(() => addHat(shop, "bowler"));
    expect(result).toEqual({ code: "database_busy" });
    expect(ticks).toBeGreaterThan(MIN_TICKS);
    await shop.close();
  });

  it("reads are answered while a transaction waits for a frozen process", async () => {
    const shop = await openShop();
    await addHat(shop, "bowler");
    await freezeNeighbour();
    const order: string[] = [];
    const write = addHat(shop, "fez").catch(() => order.push("write refused"));
    for (let read = 0; read < 5; read += 1) {
      expect(await hats(shop)).toEqual(["bowler"]);
      order.push("read");
      await sleep(5);
    }
    await write;
    expect(order).toEqual([...Array(5).fill("read"), "write refused"]);
    await shop.close();
  });

  it("a transaction that waits is done as soon as the other process goes on or is killed", async () => {
    const shop = await openShop();
    const frozen = await freezeNeighbour();
    const write = addHat(shop, "bowler");
    await sleep(50);
    frozen.kill("SIGCONT");
    frozen.send("commit");
    await expect(write).resolves.toBe("bowler");
    const killed = await freezeNeighbour();
    const second = addHat(shop, "fez");
    killed.kill("SIGKILL");
    await expect(second).resolves.toBe("fez");
    expect(await hats(shop)).toEqual(["bowler", "fez"]);
    await shop.close();
  });

  it("each transaction waits its own five seconds, and not those of the transactions before it", async () => {
    const shop = await openShop();
    await freezeNeighbour();
    const refused: string[] = [];
    const write = (id: string) => addHat(shop, id).catch(() => refused.push(id));
    const writes = [write("first")];
    await sleep(1_000);
    writes.push(write("second"));
    await Promise.all([writes[0], sleep(1)]);
    expect(refused).toEqual(["first"]);
    // The second one has waited four seconds when the first one is refused.
    const { ticks } = await countTicks(() => Promise.all(writes));
    expect(refused).toEqual(["first", "second"]);
    expect(ticks).toBeLessThan(300);
    await shop.close();
  });

  it("a single statement, a transaction of Kysely and a migration wait beside the event loop too", async () => {
    const shop = await openShop();
    await freezeNeighbour();
    const steps = [...HISTORY.steps, { name: "0002-shoes", sqlite: "create table shoes (id text) strict" }];
    for (const work of [
      () => shop.db.insertInto("hats").values({ id: "bowler" }).execute(),
      () => shop.db.transaction().execute((session) => session.insertInto("hats").values({ id: "fez" }).execute()),
      () => shop.migrate({ ...HISTORY, steps }),
    ]) {
      const { ticks, result } = await countTicks<unknown>(work);
      expect(result).toEqual({ code: "database_busy" });
      expect(ticks).toBeGreaterThan(MIN_TICKS);
    }
    await shop.close();
  });

  it("opening a file that another program keeps locked waits beside the event loop", async () => {
    const { DatabaseSync } = await loadSqlite();
    const other = new DatabaseSync(url.slice("sqlite:".length));
    other.exec("create table hats (id text); begin exclusive");
    const { ticks, result } = await countTicks(() => openDatabase(url));
    expect(result).toEqual({ code: "database_busy" });
    expect(ticks).toBeGreaterThan(MIN_TICKS);
    other.close();
  });

  it("a transaction that a caller begins by itself is refused at once", async () => {
    const shop = await openShop();
    await freezeNeighbour();
    const { ticks, result } = await countTicks(() => sql`begin exclusive`.execute(shop.db));
    expect(result).toEqual({ code: "ERR_SQLITE_ERROR" });
    expect(ticks).toBeLessThan(MIN_TICKS);
    await shop.close();
  });
});
