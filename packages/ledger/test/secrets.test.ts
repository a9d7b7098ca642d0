import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const OLD = "the first key that ever sealed this ledger";
const NEW = "the key that took its place a year later";
const TOKEN = { token: "shpat_never_to_be_seen" };

let folder: string;
let url: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-secrets-"));
  url = `sqlite:${join(folder, "ledger.db")}`;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Does something with the ledger under these keys, and closes it. */
async function under<Answer>(
  secretKeys: readonly string[],
  work: (ledger: Awaited<ReturnType<typeof openLedger>>) => Promise<Answer>,
): Promise<Answer> {
  const ledger = await openLedger(url, { secretKeys });
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

const read = (secretKeys: readonly string[], key = "main") =>
  under(secretKeys, async ({ secrets }) => (await secrets.get("hats", "token", key))?.value);
const keep = (secretKeys: readonly string[], key = "main") =>
  under(secretKeys, ({ secrets }) => secrets.put("hats", "token", key, TOKEN, "new"));

describe("secrets in a ledger", () => {
  it("can be read with their key, and nothing of them in the file without it", async () => {
    await keep([OLD]);
    expect(await read([OLD])).toEqual(TOKEN);
    expect(readFileSync(join(folder, "ledger.db")).includes("shpat_")).toBe(false);
  });

  it("are not the same twice, so that nobody sees which are alike", async () => {
    await keep([OLD], "one");
    await keep([OLD], "two");
    const database = await openDatabase<object>(url);
    const { rows } = await sql<{ value: string }>`select distinct value from tillkit_secrets`.execute(database.db);
    await database.close();
    expect(rows).toHaveLength(2);
  });

  it("say what to do without a key, with another one, and with one that is too short", async () => {
    await keep([OLD]);
    await expect(read([])).rejects.toMatchObject({
      code: "configuration_invalid",
      message: expect.stringContaining("TILLKIT_SECRET_KEYS"),
    });
    await expect(keep([], "new")).rejects.toMatchObject({ code: "configuration_invalid" });
    await expect(read([NEW])).rejects.toMatchObject({
      code: "secret_unreadable",
      message: expect.stringContaining("not among TILLKIT_SECRET_KEYS"),
    });
    await expect(openLedger(url, { secretKeys: ["short"] })).rejects.toMatchObject({ code: "configuration_invalid" });
  });

  it("cannot be moved to another row or changed by somebody who can write the database", async () => {
    await keep([OLD], "main");
    await keep([OLD], "changed");
    const database = await openDatabase<object>(url);
    await sql`update tillkit_secrets set store_id = 'shoes' where key = 'main'`.execute(database.db);
    await sql`update tillkit_secrets set value = value || 'AAAA' where key = 'changed'`.execute(database.db);
    await database.close();
    await under([OLD], async ({ secrets }) => {
      await expect(secrets.get("shoes", "token", "main")).rejects.toMatchObject({ code: "secret_unreadable" });
      await expect(secrets.get("hats", "token", "changed")).rejects.toMatchObject({ code: "secret_unreadable" });
    });
  });

  it("are sealed anew under a new key, after which the old one can go", async () => {
    await under([OLD], async ({ secrets }) => {
      for (let index = 0; index < 250; index += 1) await secrets.put("hats", "token", `old ${index}`, TOKEN, "new");
    });
    expect(await read([NEW, OLD], "old 7")).toEqual(TOKEN);
    await keep([NEW, OLD], "new");
    expect(await under([NEW, OLD], (ledger) => ledger.resealSecrets())).toBe(250);
    expect(await under([NEW, OLD], (ledger) => ledger.resealSecrets())).toBe(0);
    expect(await read([NEW], "old 249")).toEqual(TOKEN);
    await expect(read([OLD], "old 249")).rejects.toMatchObject({ code: "secret_unreadable" });
    // Whoever read it before can still put over it.
    expect(await under([NEW], ({ secrets }) => secrets.put("hats", "token", "old 7", TOKEN, 1))).toBe("done");
  });
});
