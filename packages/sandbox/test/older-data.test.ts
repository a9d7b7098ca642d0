import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { migrations } from "../src/storage/migrations.ts";
import { openPage } from "./open-console.ts";
import { api, closeAfterTest, openSandbox } from "./open-sandbox.ts";

/** A data directory of an older version, which lacks newer settings and has the setting `gone`. */
async function createOlderVersionDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-"));
  closeAfterTest(() => rm(directory, { recursive: true, force: true }));
  const database = await openDatabase<object>(`sqlite:${join(directory, "sandbox.db")}`);
  await database.migrate(migrations);
  const settings = JSON.stringify({
    feeBps: 100,
    delivery: { attempts: 3, gone: true },
    amountExponents: { USD: 0 },
    gone: 1,
  });
  await sql`insert into meta values ('settings', ${settings})`.execute(database.db);
  await database.close();
  return directory;
}

/** A data directory of the first version: one API key of each kind and environment, and an open dispute without evidence. */
async function createFirstVersionDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-"));
  closeAfterTest(() => rm(directory, { recursive: true, force: true }));
  const database = await openDatabase<object>(`sqlite:${join(directory, "sandbox.db")}`);
  await database.migrate({ ...migrations, steps: migrations.steps.slice(0, 1) });
  const { db } = database;
  await sql`insert into organizations values ('o', 'm', 'Shop', 'active', 'XOF', 1, null, null)`.execute(db);
  for (const [key, environment, kind] of [
    ["svc_sk_test_b", "test", "secret"],
    ["svc_pk_test_a", "test", "publishable"],
    ["svc_sk_live_d", "live", "secret"],
    ["svc_pk_live_c", "live", "publishable"],
  ]) {
    await sql`insert into api_keys values (${key}, 'o', ${environment}, ${kind})`.execute(db);
  }
  const due = Date.now() + 3_600_000;
  await sql`insert into disputes values (1, 'd', 't', 'o', 'test', null, 5000, 'XOF', 'fraudulent', 'pending', null,
    ${due}, '{}', 1, 1)`.execute(db);
  await database.close();
  return directory;
}

it("keys of the first version stay valid and can be regenerated, and its disputes are shown", async () => {
  const sandbox = await openSandbox({ data: await createFirstVersionDirectory() });
  const test = { secret: "svc_sk_test_b", publishable: "svc_pk_test_a" };
  expect(sandbox.keys).toEqual({ test, live: { secret: "svc_sk_live_d", publishable: "svc_pk_live_c" } });
  const { key } = await sandbox.control.regenerateKey("o", { environment: "test", kind: "secret" });
  const [shop] = await sandbox.control.listOrganizations();
  expect(shop?.keys.test).toEqual({ ...test, secret: key });
  expect((await api(sandbox, "GET /transactions", { key: test.secret })).status).toBe(401);
  const page = await openPage(sandbox, "/disputes/d");
  expect(page.text).toContain("fraudulent");
  expect(page.text).toMatch(/5\D000/);
  // The page has a form to revoke each key.
  expect((await openPage(sandbox, "/network/o")).text.match(/name="number"/g)).toHaveLength(4);
});

it("settings that an older version stored keep their values, and newer settings get their defaults", async () => {
  const sandbox = await openSandbox({ data: await createOlderVersionDirectory() });
  expect(sandbox.control.readSettings()).toMatchObject({
    feeBps: 100,
    refunds: "instant",
    delivery: { attempts: 3, path: "queued", baseDelayMs: 5000 },
  });
});
