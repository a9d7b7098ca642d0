import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { migrations } from "../src/storage/migrations.ts";
import { closeAfterTest, openSandbox } from "./open-sandbox.ts";

/** A data directory of an older version, which knew fewer settings. */
async function createOlderDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-"));
  closeAfterTest(() => rm(directory, { recursive: true, force: true }));
  const database = await openDatabase<object>(`sqlite:${join(directory, "sandbox.db")}`);
  await database.migrate(migrations);
  const settings = JSON.stringify({ feeBps: 100, delivery: { attempts: 3 } });
  await sql`insert into meta values ('settings', ${settings})`.execute(database.db);
  await database.close();
  return directory;
}

it("settings that an older version stored keep their values, and newer settings get their defaults", async () => {
  const sandbox = await openSandbox({ data: await createOlderDirectory() });
  expect(sandbox.control.readSettings()).toMatchObject({
    feeBps: 100,
    refunds: "instant",
    delivery: { attempts: 3, path: "queued", baseDelayMs: 5000 },
  });
});
