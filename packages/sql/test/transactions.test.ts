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

describe("transactions asked for at the same moment", () => {
  it("share one commit: the second sees the first before anybody outside does", async () => {
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

  it("are answered each with its own result, and one that throws spoils nothing for the others", async () => {
    const outcomes = await Promise.allSettled([
      shop.transaction(addHat("bowler")),
      shop.transaction(async (session) => {
        await addHat("fez")(session);
        throw new Error("the shop changed its mind");
      }),
      shop.transaction(addHat("bowler")),
      shop.transaction(addHat("cap")),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "refused"))).toEqual([
      "bowler",
      "refused",
      "refused",
      "cap",
    ]);
    const twice = outcomes[2];
    expect(twice?.status === "rejected" && isUniqueViolation(twice.reason)).toBe(true);
    expect(await hats(shop)).toEqual(["bowler", "cap"]);
  });

  it("lose nothing when there are far more of them than fit into one commit", async () => {
    await Promise.all(Array.from({ length: 1000 }, (_, index) => shop.transaction(addHat(`hat-${index}`))));
    expect(await hats(shop)).toHaveLength(1000);
  });

  it("are all refused when the disk is full, because nothing was kept", async () => {
    await sql`pragma max_page_count = 10`.execute(shop.db);
    const outcomes = await Promise.allSettled([
      shop.transaction(addHat("bowler")),
      shop.transaction(addHat("x".repeat(100_000))),
      shop.transaction(addHat("cap")),
    ]);
    const told = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(told).toEqual(await hats(shop));
    expect(outcomes[1]?.status).toBe("rejected");
    await sql`pragma max_page_count = 1000`.execute(shop.db);
    await shop.transaction(addHat("fez"));
    expect(await hats(shop)).toContain("fez");
  });
});

describe("a transaction", () => {
  it("keeps nothing of a work that throws, and throws its error on", async () => {
    const failure = new Error("the shop changed its mind");
    const work = async (session: Kysely<Shop>) => {
      await addHat("bowler")(session);
      throw failure;
    };
    await expect(shop.transaction(work)).rejects.toBe(failure);
    expect(await hats(shop)).toEqual([]);
  });

  it("waits for its turn behind a transaction that Kysely began", async () => {
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

  it("is finished before the database closes, and none begins after that", async () => {
    const last = shop.transaction(addHat("bowler"));
    await shop.close();
    expect(await last).toBe("bowler");
    await expect(shop.transaction(addHat("cap"))).rejects.toMatchObject({ code: "database_closed" });
    await expect(shop.migrate(HISTORY)).rejects.toMatchObject({ code: "database_closed" });
  });

  it("says who is in the way when another process keeps the database for more than five seconds", async () => {
    const other = await openDatabase<Shop>(url);
    await other.transaction(async () => {
      await expect(shop.transaction(addHat("bowler"))).rejects.toMatchObject({ code: "database_busy" });
    });
    await other.close();
    expect(await shop.transaction(addHat("bowler"))).toBe("bowler");
  });
});
