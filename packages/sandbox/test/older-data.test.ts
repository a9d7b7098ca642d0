import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { migrations } from "../src/storage/migrations.ts";
import { api, closeAfterTest, openSandbox } from "./open-sandbox.ts";

const key = "svc_sk_test_0123456789abcdefghijABCDEFGHIJ12";

/** A data directory as the first version left it: one merchant, one customer, one completed payment, changed settings. */
async function directoryOfFirstVersion(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-"));
  closeAfterTest(() => rm(directory, { recursive: true, force: true }));
  const database = await openDatabase<object>(`sqlite:${join(directory, "sandbox.db")}`);
  await database.migrate({ owner: "sandbox", steps: migrations.steps.slice(0, 1) });
  const settings = JSON.stringify({ feeBps: 100, delivery: { attempts: 3 } });
  for (const statement of [
    sql`insert into meta values ('settings', ${settings})`,
    sql`insert into organizations values ('o', 'm', 'Old Shop', 'active', 'XOF', 1)`,
    sql`insert into api_keys values (${key}, 'o', 'test', 'secret')`,
    sql`insert into customers values
      (1, 'c', 'cus_22222222222222', 'o', 'test', 'Awa Diop', 'Awa@example.test', null, '{}', 1, 1)`,
    sql`insert into transactions values
      (1, 't', 'txn_22222222222222', null, 'o', 'test', 'c', 'completed', 'WAVE', 'MOBILE_MONEY', null, 1,
       5000, 125, 4875, 0, 'XOF', '{}', null, null, null, null, null, null, 1, 2)`,
  ]) {
    await statement.execute(database.db);
  }
  await database.close();
  return directory;
}

it("what the first version wrote is understood: balances, customers, providers and settings", async () => {
  const sandbox = await openSandbox({ data: await directoryOfFirstVersion() });
  expect((await api(sandbox, "GET /accounts/balance", { key })).json).toMatchObject([
    { currency_code: "XOF", balance: 4875 },
  ]);
  expect((await api(sandbox, "GET /providers?provider_code=WAVE", { key })).json).toMatchObject([
    { is_connected: true },
  ]);
  const { json } = await api(sandbox, "GET /customers?search=awa@EX&status=active", { key });
  expect(json.data).toMatchObject([{ name: "Awa Diop", metadata: null, is_business: null }]);
  expect(sandbox.control.readSettings()).toMatchObject({
    feeBps: 100,
    refunds: "instant",
    delivery: { attempts: 3, path: "queued", baseDelayMs: 5000 },
  });
});
