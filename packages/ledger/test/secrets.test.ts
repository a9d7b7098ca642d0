import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const OLD_KEY = "the first key that encrypted this ledger";
const NEW_KEY = "the key that took its place a year later";
const STORE_ID = "hats";
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

/** Reads the secret `name` of the store with a ledger that has these keys. */
const getSecret = (name: string, secretKeys: readonly string[]) =>
  withLedger(secretKeys, async ({ secrets }) => (await secrets.get(STORE_ID, "token", name))?.value);

/** Stores TOKEN as a new secret `name` of the store with a ledger that has these keys. */
const addSecret = (name: string, secretKeys: readonly string[]) =>
  withLedger(secretKeys, ({ secrets }) => secrets.put(STORE_ID, "token", name, TOKEN, "new"));

describe("secrets in a ledger", () => {
  it("a secret can be read with its key, and the file does not contain its text", async () => {
    await addSecret("main", [OLD_KEY]);
    expect(await getSecret("main", [OLD_KEY])).toEqual(TOKEN);
    expect(readFileSync(join(folder, "ledger.db")).includes("shpat_")).toBe(false);
  });

  it("equal secrets have different ciphertexts, so that the database does not reveal which secrets are equal", async () => {
    await addSecret("one", [OLD_KEY]);
    await addSecret("two", [OLD_KEY]);
    const database = await openDatabase<object>(url);
    const { rows } = await sql<{ value: string }>`select distinct value from tillkit_secrets`.execute(database.db);
    await database.close();
    expect(rows).toHaveLength(2);
  });

  it("a missing key, a wrong key and a short key each get an error that says what to do", async () => {
    await addSecret("main", [OLD_KEY]);
    await expect(getSecret("main", [])).rejects.toMatchObject({
      code: "configuration_invalid",
      message: expect.stringContaining("TILLKIT_SECRET_KEYS"),
    });
    await expect(addSecret("other", [])).rejects.toMatchObject({ code: "configuration_invalid" });
    await expect(getSecret("main", [NEW_KEY])).rejects.toMatchObject({
      code: "secret_unreadable",
      message: expect.stringContaining("not among TILLKIT_SECRET_KEYS"),
    });
    await expect(openLedger(url, { secretKeys: ["short"] })).rejects.toMatchObject({ code: "configuration_invalid" });
  });

  it("a secret that was moved to another row or changed in the database cannot be read", async () => {
    await addSecret("main", [OLD_KEY]);
    await addSecret("changed", [OLD_KEY]);
    const database = await openDatabase<object>(url);
    await sql`update tillkit_secrets set store_id = 'shoes' where key = 'main'`.execute(database.db);
    await sql`update tillkit_secrets set value = value || 'AAAA' where key = 'changed'`.execute(database.db);
    await database.close();
    await withLedger([OLD_KEY], async ({ secrets }) => {
      await expect(secrets.get("shoes", "token", "main")).rejects.toMatchObject({ code: "secret_unreadable" });
      await expect(secrets.get(STORE_ID, "token", "changed")).rejects.toMatchObject({ code: "secret_unreadable" });
    });
  });

  it("secrets are encrypted again under a new key, after which the old key can be removed", async () => {
    await withLedger([OLD_KEY], async ({ secrets }) => {
      for (let index = 0; index < 250; index += 1)
        await secrets.put(STORE_ID, "token", `secret ${index}`, TOKEN, "new");
    });
    expect(await getSecret("secret 7", [NEW_KEY, OLD_KEY])).toEqual(TOKEN);
    await addSecret("added after the change of keys", [NEW_KEY, OLD_KEY]);
    expect(await withLedger([NEW_KEY, OLD_KEY], (ledger) => ledger.reencryptSecrets())).toBe(250);
    expect(await withLedger([NEW_KEY, OLD_KEY], (ledger) => ledger.reencryptSecrets())).toBe(0);
    expect(await getSecret("secret 249", [NEW_KEY])).toEqual(TOKEN);
    await expect(getSecret("secret 249", [OLD_KEY])).rejects.toMatchObject({ code: "secret_unreadable" });
    // The version is still 1, so that a process that read the secret before can still replace it.
    const replaceVersion1 = () =>
      withLedger([NEW_KEY], ({ secrets }) => secrets.put(STORE_ID, "token", "secret 7", TOKEN, 1));
    expect(await replaceVersion1()).toBe("done");
  });
});
