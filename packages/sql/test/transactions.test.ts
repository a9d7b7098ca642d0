import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, isUniqueViolation, openDatabase } from "@tillkit/sql";
import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

type Shop = { hats: { id: string; price: number } };

const HISTORY = {
  owner: "shop",
  steps: [{ name: "0001-hats", sqlite: "create table hats (id text primary key, price integer not null) strict" }],
};

let folder: string;
let url: string;
let shop: Database<Shop>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-sql-"));
  url = `sqlite:${join(folder, "shop.db")}`;
  shop = await openDatabase<Shop>(url);
  await shop.migrate(HISTORY);
});
afterEach(async () => {
  await shop.close();
  rmSync(folder, { recursive: true, force: true });
});

const addHat = (id: string) => async (session: Kysely<Shop>) => {
  await session.insertInto("hats").values({ id, price: 5000 }).execute();
  return id;
};

async function hats(database: Database<Shop>): Promise<readonly string[]> {
  const rows = await database.db.selectFrom("hats").select("id").orderBy("id").execute();
  return rows.map((row) => row.id);
}

describe("transactions that start at the same moment on SQLite", () => {
  it("transactions that start together share one commit", async () => {
    const outside = await openDatabase<Shop>(url);
    const seen = await Promise.all([
      shop.transaction(addHat("bowler")),
      shop.transaction(async (session) => ({
        inside: (await session.selectFrom("hats").select("id").execute()).length,
        outside: (await hats(outside)).length,
      })),
    ]);
    expect(seen).toEqual(["bowler", { inside: 1, outside: 0 }]);
    expect(await hats(outside)).toEqual(["bowler"]);
    await outside.close();
  });

  it("a transaction that throws does not affect the other transactions of its commit", async () => {
    const outcomes = await Promise.allSettled([
      shop.transaction(addHat("bowler")),
      shop.transaction(async (session) => {
        await addHat("fez")(session);
        throw new Error("the shop changed its mind");
      }),
      shop.transaction(addHat("bowler")),
      shop.transaction(addHat("cap")),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "rejected"))).toEqual([
      "bowler",
      "rejected",
      "rejected",
      "cap",
    ]);
    const twice = outcomes[2];
    expect(twice?.status === "rejected" && isUniqueViolation(twice.reason)).toBe(true);
    expect(await hats(shop)).toEqual(["bowler", "cap"]);
  });

  it("1,000 transactions are kept although they need several commits", async () => {
    await Promise.all(Array.from({ length: 1000 }, (_, index) => shop.transaction(addHat(`hat-${index}`))));
    expect(await hats(shop)).toHaveLength(1000);
  });

  it("all transactions of a commit fail when the disk is full", async () => {
    await sql`pragma max_page_count = 10`.execute(shop.db);
    const outcomes = await Promise.allSettled([
      shop.transaction(addHat("bowler")),
      shop.transaction(addHat("x".repeat(100_000))),
      shop.transaction(addHat("cap")),
    ]);
    const kept = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(kept).toEqual(await hats(shop));
    expect(outcomes[1]?.status).toBe("rejected");
    await sql`pragma max_page_count = 1000`.execute(shop.db);
    await shop.transaction(addHat("fez"));
    expect(await hats(shop)).toContain("fez");
  });
});

describe("a transaction on SQLite", () => {
  it("a transaction that throws on SQLite is rolled back, and its error is rethrown", async () => {
    const failure = new Error("the shop changed its mind");
    const work = async (session: Kysely<Shop>) => {
      await addHat("bowler")(session);
      throw failure;
    };
    await expect(shop.transaction(work)).rejects.toBe(failure);
    expect(await hats(shop)).toEqual([]);
  });

  it("a transaction waits for a running transaction of Kysely", async () => {
    const order: string[] = [];
    await Promise.all([
      shop.db.transaction().execute(async (session) => {
        await addHat("bowler")(session);
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push("kysely");
      }),
      shop.transaction(async () => order.push("grouped")),
    ]);
    expect(order).toEqual(["kysely", "grouped"]);
  });

  it("closing the SQLite database waits for its transactions and rejects new transactions", async () => {
    const last = shop.transaction(addHat("bowler"));
    await shop.close();
    expect(await last).toBe("bowler");
    await expect(shop.transaction(addHat("cap"))).rejects.toMatchObject({ code: "database_closed" });
    await expect(shop.migrate(HISTORY)).rejects.toMatchObject({ code: "database_closed" });
  });

  it("a transaction fails with database_busy when another process locks the database for more than five seconds", async () => {
    const other = await openDatabase<Shop>(url);
    await other.transaction(async () => {
      await expect(shop.transaction(addHat("bowler"))).rejects.toMatchObject({ code: "database_busy" });
    });
    await other.close();
    expect(await shop.transaction(addHat("bowler"))).toBe("bowler");
  });
});
