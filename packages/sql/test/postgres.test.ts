import { isUniqueViolation, type MigrationHistory, openDatabase } from "@tillkit/sql";
import { type Kysely, sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPostgres } from "../../../test/postgres/start-postgres.ts";

type Shop = { hats: { id: string; price: number; picture: Uint8Array | null } };

const HATS = {
  name: "0001-hats",
  sqlite: "",
  postgres: "create table hats (id text primary key, price bigint not null, picture bytea)",
};
const SHOES = {
  name: "0002-shoes",
  sqlite: "",
  postgres: "create table shoes (id text); insert into shoes values ('a')",
};
const history = (...steps: MigrationHistory["steps"]): MigrationHistory => ({ owner: "shop", steps });

const postgres = await startPostgres();
const onlyServer = it.skipIf(!postgres.isServer);
const skipNote = postgres.isServer ? "" : " (skipped: no PostgreSQL server on this machine)";
const open = () => openDatabase<Shop>(postgres.url);

let shop: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  shop = await open();
  await sql`drop schema public cascade`.execute(shop.db);
  await sql`create schema public`.execute(shop.db);
  await shop.migrate(history(HATS));
});
afterEach(() => shop.close());
afterAll(() => postgres.stop());

const hat = (id: string, price = 5000) => ({ id, price, picture: null });
const hats = () => shop.db.selectFrom("hats").select(["id", "price"]).orderBy("id").execute();
const raisePrice = (session: Kysely<Shop>, id: string) =>
  session
    .updateTable("hats")
    .set(({ eb }) => ({ price: eb("price", "+", 1) }))
    .where("id", "=", id)
    .execute();

describe("a value on PostgreSQL", () => {
  it("PostgreSQL returns whole numbers as numbers and bytes as bytes", async () => {
    const expensive = { id: "été 🎩", price: Number.MAX_SAFE_INTEGER, picture: Uint8Array.of(0, 255, 10) };
    await shop.db.insertInto("hats").values(expensive).execute();
    const [found] = await shop.db.selectFrom("hats").selectAll().execute();
    expect({ ...found, picture: Uint8Array.from(found?.picture ?? []) }).toEqual(expensive);
  });

  it.each([
    ["a Date", new Date(0)],
    ["undefined", undefined],
    ["a boolean", true],
  ])("%s is rejected as a value on PostgreSQL", async (_name, value) => {
    await expect(sql`select ${value}`.execute(shop.db)).rejects.toMatchObject({ code: "value_not_storable" });
  });
});

describe("a transaction on PostgreSQL", () => {
  it("a transaction that throws on PostgreSQL is rolled back, and its error is rethrown", async () => {
    const failure = new Error("the shop changed its mind");
    const work = async (session: Kysely<Shop>) => {
      await session.insertInto("hats").values(hat("fez")).execute();
      throw failure;
    };
    await expect(shop.transaction(work)).rejects.toBe(failure);
    expect(await hats()).toEqual([]);
  });

  it("isUniqueViolation recognizes a violated unique constraint and no other failure", async () => {
    const add = () => shop.transaction((session) => session.insertInto("hats").values(hat("fez")).execute());
    await add();
    expect(await add().catch(isUniqueViolation)).toBe(true);
    expect(await sql`select nothing`.execute(shop.db).catch(isUniqueViolation)).toBe(false);
  });

  it("closing the PostgreSQL database waits for its transactions and rejects new transactions", async () => {
    const adds = Array.from({ length: 30 }, (_, index) =>
      shop.transaction((session) =>
        session
          .insertInto("hats")
          .values(hat(`hat-${index}`))
          .execute(),
      ),
    );
    await shop.close();
    await Promise.all(adds);
    await expect(shop.transaction(async () => {})).rejects.toMatchObject({ code: "database_closed" });
    shop = await open();
    expect(await hats()).toHaveLength(30);
  });

  onlyServer(`a transaction runs again after a deadlock${skipNote}`, async () => {
    await shop.db
      .insertInto("hats")
      .values([hat("cap"), hat("fez")])
      .execute();
    let arrived = 0;
    let meet = () => {};
    const bothArrived = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const inOrder = (first: string, second: string) =>
      shop.transaction(async (session) => {
        await raisePrice(session, first);
        arrived += 1;
        if (arrived === 2) meet();
        await bothArrived;
        await raisePrice(session, second);
      });
    await Promise.all([inOrder("cap", "fez"), inOrder("fez", "cap")]);
    // One of the two transactions ran again.
    expect(arrived).toBeGreaterThan(2);
    expect(await hats()).toEqual([
      { id: "cap", price: 5002 },
      { id: "fez", price: 5002 },
    ]);
  });

  onlyServer(
    `a transaction fails with database_busy when another transaction locks a row for more than four seconds${skipNote}`,
    async () => {
      await shop.db.insertInto("hats").values(hat("fez")).execute();
      await shop.transaction(async (session) => {
        await raisePrice(session, "fez");
        await expect(shop.transaction((other) => raisePrice(other, "fez"))).rejects.toMatchObject({
          code: "database_busy",
        });
      });
      expect(await hats()).toEqual([{ id: "fez", price: 5001 }]);
    },
  );

  onlyServer(
    `a connection that the server ends and a statement that it cancels are reported by their codes${skipNote}`,
    async () => {
      const endsItself = sql`select pg_terminate_backend(pg_backend_pid())`;
      await expect(shop.transaction((session) => endsItself.execute(session))).rejects.toMatchObject({
        code: "database_lost",
      });
      const tooSlow = shop.transaction(async (session) => {
        await sql`set local statement_timeout = 50`.execute(session);
        await sql`select pg_sleep(5)`.execute(session);
      });
      await expect(tooSlow).rejects.toMatchObject({ code: "database_busy" });
      expect(await hats()).toEqual([]);
    },
  );

  onlyServer(`a transaction that loses its connection does not affect the next transaction${skipNote}`, async () => {
    const cut = shop.transaction((session) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(session));
    await expect(cut).rejects.toThrow();
    await shop.transaction((session) => session.insertInto("hats").values(hat("fez")).execute());
    expect(await hats()).toHaveLength(1);
  });
});

describe("migrations on PostgreSQL", () => {
  it("eight programs that start for the first time at once apply each migration once on PostgreSQL", async () => {
    await sql`drop schema public cascade`.execute(shop.db);
    await sql`create schema public`.execute(shop.db);
    const starts = Array.from({ length: 8 }, async () => {
      const database = await open();
      await database.migrate(history(HATS, SHOES));
      await database.close();
    });
    await Promise.all(starts);
    expect((await sql`select * from shoes`.execute(shop.db)).rows).toHaveLength(1);
  });

  it("a migration that fails on PostgreSQL is rolled back, and the migrations before it are kept", async () => {
    const broken = {
      name: "0002-broken",
      sqlite: "",
      postgres: "create table half (id text); create table hats (id text)",
    };
    await expect(shop.migrate(history(HATS, broken))).rejects.toThrow(/"hats" already exists/);
    await expect(sql`select * from half`.execute(shop.db)).rejects.toThrow(/does not exist/);
    await shop.migrate(history(HATS, SHOES));
  });

  it("a PostgreSQL database that is newer than the program is rejected", async () => {
    await shop.migrate(history(HATS, SHOES));
    await expect(shop.migrate(history(HATS))).rejects.toMatchObject({ code: "database_newer" });
  });

  it("migrations for SQLite only are rejected on PostgreSQL with the address to use", async () => {
    const sandbox = { owner: "sandbox", steps: [{ name: "0001", sqlite: "create table sessions (id text)" }] };
    await expect(shop.migrate(sandbox)).rejects.toMatchObject({
      code: "engine_not_supported",
      message: expect.stringMatching(/sandbox .* SQLite only/),
    });
  });
});

describe("a configured schema on PostgreSQL", () => {
  const name = 'a shop\'s "own"';
  const openOwn = () => openDatabase<Shop>(postgres.url, { schema: name });

  onlyServer(
    `a configured schema is created once and holds the tables of all programs that name it${skipNote}`,
    async () => {
      await sql`drop schema if exists ${sql.id(name)} cascade`.execute(shop.db);
      const together = await Promise.all([openOwn(), openOwn(), openOwn()]);
      await Promise.all(together.map((own) => own.migrate(history(HATS))));
      await together[0].db.insertInto("hats").values(hat("fez")).execute();
      expect(await hats()).toEqual([]);
      expect(await together[1].urgent.selectFrom("hats").select("id").execute()).toEqual([{ id: "fez" }]);
      await Promise.all(together.map((own) => own.close()));
    },
  );
});
