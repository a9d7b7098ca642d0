import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const OLD = "the first key that encrypted this ledger";
const NEW = "the key that took its place a year later";
const TOKEN = { token: "shpat_never_to_be_seen" };

let folder: string;
let url: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-secrets-"));
  url = `sqlite:${join(folder, "ledger.db")}`;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Opens the ledger with these keys, runs `work` and closes the ledger. */
async function withLedger<Answer>(
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

const getSecret = (secretKeys: readonly string[], key = "main") =>
  withLedger(secretKeys, async ({ secrets }) => (await secrets.get("hats", "token", key))?.value);
const putSecret = (secretKeys: readonly string[], key = "main") =>
  withLedger(secretKeys, ({ secrets }) => secrets.put("hats", "token", key, TOKEN, "new"));

describe("secrets in a ledger", () => {
  it("a secret can be read with its key, and the file does not contain its text", async () => {
    await putSecret([OLD]);
    expect(await getSecret([OLD])).toEqual(TOKEN);
    expect(readFileSync(join(folder, "ledger.db")).includes("shpat_")).toBe(false);
  });

  it("equal secrets have different ciphertexts, so that the database does not reveal which secrets are equal", async () => {
    await putSecret([OLD], "one");
    await putSecret([OLD], "two");
    const database = await openDatabase<object>(url);
    const { rows } = await sql<{ value: string }>`select distinct value from tillkit_secrets`.execute(database.db);
    await database.close();
    expect(rows).toHaveLength(2);
  });

  it("a missing key, a wrong key and a short key each get an error that says what to do", async () => {
    await putSecret([OLD]);
    await expect(getSecret([])).rejects.toMatchObject({
      code: "configuration_invalid",
      message: expect.stringContaining("TILLKIT_SECRET_KEYS"),
    });
    await expect(putSecret([], "new")).rejects.toMatchObject({ code: "configuration_invalid" });
    await expect(getSecret([NEW])).rejects.toMatchObject({
      code: "secret_unreadable",
      message: expect.stringContaining("not among TILLKIT_SECRET_KEYS"),
    });
    await expect(openLedger(url, { secretKeys: ["short"] })).rejects.toMatchObject({ code: "configuration_invalid" });
  });

  it("a secret that was moved to another row or changed in the database cannot be read", async () => {
    await putSecret([OLD], "main");
    await putSecret([OLD], "changed");
    const database = await openDatabase<object>(url);
    await sql`update tillkit_secrets set store_id = 'shoes' where key = 'main'`.execute(database.db);
    await sql`update tillkit_secrets set value = value || 'AAAA' where key = 'changed'`.execute(database.db);
    await database.close();
    await withLedger([OLD], async ({ secrets }) => {
      await expect(secrets.get("shoes", "token", "main")).rejects.toMatchObject({ code: "secret_unreadable" });
      await expect(secrets.get("hats", "token", "changed")).rejects.toMatchObject({ code: "secret_unreadable" });
    });
  });

  it("secrets are encrypted again under a new key, after which the old key can be removed", async () => {
    await withLedger([OLD], async ({ secrets }) => {
      for (let index = 0; index < 250; index += 1) await secrets.put("hats", "token", `old ${index}`, TOKEN, "new");
    });
    expect(await getSecret([NEW, OLD], "old 7")).toEqual(TOKEN);
    await putSecret([NEW, OLD], "new");
    expect(await withLedger([NEW, OLD], (ledger) => ledger.reencryptSecrets())).toBe(250);
    expect(await withLedger([NEW, OLD], (ledger) => ledger.reencryptSecrets())).toBe(0);
    expect(await getSecret([NEW], "old 249")).toEqual(TOKEN);
    await expect(getSecret([OLD], "old 249")).rejects.toMatchObject({ code: "secret_unreadable" });
    // The version is unchanged, so that a process that read the secret before can still replace it.
    expect(await withLedger([NEW], ({ secrets }) => secrets.put("hats", "token", "old 7", TOKEN, 1))).toBe("done");
  });
});
