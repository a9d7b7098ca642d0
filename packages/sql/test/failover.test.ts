import { join } from "node:path";
import { type MigrationHistory, openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DatabaseAddress, openDatabaseAddress } from "../../../test/postgres/database-address.ts";
import { startPostgres } from "../../../test/postgres/start-postgres.ts";
import { waitFor } from "../../../test/waiting/wait-for.ts";

type Shop = { hats: { id: string } };

const HISTORY: MigrationHistory = {
  owner: "shop",
  steps: [{ name: "0001-hats", sqlite: "", postgres: "create table hats (id text primary key)" }],
};

const postgres = await startPostgres();
const skipNote = postgres.isServer ? "" : " (skipped: no PostgreSQL server on this machine)";
const open = (url = postgres.url) => openDatabase<Shop>(url);
afterAll(() => postgres.stop());

let address: DatabaseAddress;
let shop: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  if (!postgres.isServer) return;
  const folder = new URL(postgres.url).searchParams.get("host") ?? "";
  address = await openDatabaseAddress(join(folder, ".s.PGSQL.5432"));
  shop = await open(address.url);
  await shop.migrate(HISTORY);
  await sql`truncate hats`.execute(shop.db);
});
afterEach(async () => {
  if (!postgres.isServer) return;
  await shop.close();
  await address.close();
});

const addHat = (id: string) =>
  shop.transaction((session) =>
    session
      .insertInto("hats")
      .values({ id })
      .onConflict((oc) => oc.doNothing())
      .execute(),
  );
const addAtOnce = (count: number, name: string) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => addHat(`${name}-${index}`)));
/** Changes a setting of the whole server. All sessions use the new value at once. */
async function setServerWide(setting: string): Promise<void> {
  const direct = await open();
  await sql`alter system set ${sql.raw(setting)}`.execute(direct.db);
  await sql`select pg_reload_conf()`.execute(direct.db);
  await direct.close();
}

describe.skipIf(!postgres.isServer)(`a PostgreSQL machine that dies${skipNote}`, () => {
  it("a machine that dies without closing its connections fails the two writes under way, and no later write waits for its connections", async () => {
    await addAtOnce(9, "before");
    address.silence();
    expect(await addAtOnce(2, "lost")).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
    const messagesBefore = address.silentMessages();
    expect(messagesBefore).toBeGreaterThanOrEqual(2);
    const results = await addAtOnce(9, "after");
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    // A statement on another connection of the dead machine would wait for a timeout of its own.
    expect(address.silentMessages()).toBe(messagesBefore);
  });

  it("a listener whose connection went silent receives notifications again", async () => {
    const received: string[] = [];
    const stop = shop.listen?.("jobs", (payload) => void received.push(payload));
    const notify = (payload: string) => sql`select pg_notify('jobs', ${payload})`.execute(shop.urgent);
    await waitFor(async () => {
      await notify("before");
      expect(received).toContain("before");
    });
    address.silence();
    await waitFor(async () => {
      await notify("after").catch(() => {});
      expect(received).toContain("after");
    });
    // The empty payload says that notifications may have been missed.
    expect(received).toContain("");
    stop?.();
  });

  it.each([
    ["its channel", 'listen "jobs"'],
    ["the channel of its probes", "listen tillkit_probe"],
  ])(
    "a listener whose connection went silent when it began to listen to %s receives notifications",
    async (_, query) => {
      const direct = await open();
      const received: string[] = [];
      address.silenceAt(query);
      const stop = shop.listen?.("jobs", (payload) => void received.push(payload));
      await waitFor(() => expect(address.silentConnections()).toBeGreaterThan(0));
      await waitFor(async () => {
        await sql`select pg_notify('jobs', 'after')`.execute(direct.db);
        expect(received).toContain("after");
      });
      stop?.();
      await direct.close();
    },
  );

  it("a connection to a server that became read-only is not used again", async () => {
    const pidOf = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(shop.db)).rows[0]?.pid;
    const before = await pidOf();
    await setServerWide("default_transaction_read_only = on");
    await waitFor(() => expect(addHat("fez")).rejects.toMatchObject({ code: "database_lost" }));
    await makeServerWritable();
    await waitFor(() => addHat("fez"));
    expect(await pidOf()).not.toBe(before);
  });
});

async function makeServerWritable(): Promise<void> {
  const direct = await open();
  await sql`set default_transaction_read_only = off`.execute(direct.db);
  await direct.close();
  await setServerWide("default_transaction_read_only = off");
}

describe.skipIf(!postgres.isServer)(`a standby that is gone${skipNote}`, () => {
  it("commits that wait for a standby do not use up the server's connections, and the condition reports the wait", async () => {
    expect(await shop.condition?.()).toBe("ready");
    await setServerWide("synchronous_standby_names = 'nobody'");
    try {
      await addAtOnce(18, "hanging");
      expect(await shop.condition?.()).toBe("commits_wait");
      await expect(addHat("one more")).rejects.toMatchObject({
        code: "database_busy",
        message: expect.stringMatching(/^\d+ commits wait for a standby/),
      });
      const { rows } = await sql<{ open: number }>`select count(*) as open from pg_stat_activity`.execute(shop.db);
      expect(rows[0]?.open).toBeLessThan(40);
    } finally {
      await setServerWide("synchronous_standby_names = ''");
    }
    await waitFor(() => addHat("one more"));
    await waitFor(async () => expect(await shop.condition?.()).toBe("ready"));
  });
});

describe.skipIf(!postgres.isServer)(`a schema that the connection ignores${skipNote}`, () => {
  it("a database whose connections ignore the configured schema is refused before it has tables in another schema", async () => {
    const url = `${address.url}?options=${encodeURIComponent("-c search_path=public")}`;
    await expect(openDatabase(url, { schema: "own" })).rejects.toMatchObject({
      code: "database_not_opened",
      message: expect.stringContaining("ignores the schema own"),
    });
  });
});
