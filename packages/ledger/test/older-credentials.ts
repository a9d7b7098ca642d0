import { systemClock } from "@tillkit/core";
import { createStoredTenants } from "@tillkit/core/hosts";
import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { LedgerSchema } from "../src/database/schema.ts";
import { createSecretCipher } from "../src/records/secret-cipher.ts";
import { createSecrets } from "../src/records/secrets.ts";
import { older, placeOlderLedger } from "./older-ledger.ts";

const OLD_KEY = "the key that encrypted this ledger at first";
const NEW_KEY = "the key that took its place a year later";
const FIRST = {
  id: "first",
  environment: "live",
  apiKey: "svc_sk_live_first_0123456789",
  baseUrl: "https://service.example",
  endpointId: "first",
  webhookSecrets: ["whsec_first"],
};
const SECOND = { ...FIRST, id: "second", apiKey: "svc_sk_live_second_0123456789", webhookSecrets: ["whsec_second"] };

/** The credentials of a ledger that an older version wrote, with an index of records. */
export function olderCredentialsMove(where: string, newUrl: () => string): void {
  it(`the credential of an older ledger ${where} is found by its stores and its endpoint`, async () => {
    const url = newUrl();
    await placeOlderLedger(url);
    const ledger = await openLedger(url, { secretKeys: [older.secretKey] });
    const tenants = createStoredTenants({ credentials: ledger.credentials, clock: systemClock });
    for (const store of ["hats", "caps"])
      expect(await tenants.credentialFor(store, "test")).toEqual({ id: "key", account: null });
    const endpoint = { secrets: [older.secret], credentialIds: ["key"], environment: "test" };
    expect(await tenants.endpoint("main")).toEqual(endpoint);
    await ledger.close();
  });

  it(`the credentials of an older ledger ${where} move to their tables, also those of a change that ended half-way`, async () => {
    const url = newUrl();
    await writeOlderLedger(url);
    const [ledger, sameTime] = await Promise.all([
      openLedger(url, { secretKeys: [OLD_KEY] }),
      openLedger(url, { secretKeys: [OLD_KEY] }),
    ]);
    // The index says that "first" still has both shops: the process ended before it wrote the rest.
    expect(await ledger.credentials.list()).toEqual([
      { ...SECOND, storeIds: ["hats"] },
      { ...FIRST, storeIds: ["shoes"] },
    ]);
    const tenants = createStoredTenants({ credentials: sameTime.credentials, clock: systemClock });
    expect(await tenants.credentialFor("hats", "live")).toEqual({ id: "second", account: null });
    expect(await tenants.credentialFor("shoes", "live")).toEqual({ id: "first", account: null });
    expect((await tenants.endpoint("first"))?.secrets).toEqual(["whsec_second", "whsec_first"]);
    await ledger.credentials.put({ ...SECOND, environment: "live", storeIds: ["hats", "shoes"] });
    await Promise.all([ledger.close(), sameTime.close()]);
    const { secrets, sealed } = await readRows(url);
    expect(secrets).toEqual(["token"]);
    for (const secret of ["svc_sk_", "whsec_", "service.example"]) expect(sealed).not.toContain(secret);
  });

  it(`a credential of an older ledger ${where} waits for an opening with its key, and overwrites nothing newer then`, async () => {
    const url = newUrl();
    await writeOlderLedger(url);
    await (await openLedger(url)).close();
    const warnings: unknown[] = [];
    const log = { info: () => {}, warn: (...line: unknown[]) => void warnings.push(line), error: () => {} };
    const other = await openLedger(url, { secretKeys: [NEW_KEY], log });
    expect(warnings).toEqual([["ledger.credentials_unreadable", { count: 2 }]]);
    expect(await other.credentials.list()).toEqual([]);
    const replaced = { ...FIRST, environment: "live", webhookSecrets: ["whsec_new"], storeIds: ["hats"] } as const;
    await other.credentials.put(replaced);
    await other.close();
    const both = await openLedger(url, { secretKeys: [NEW_KEY, OLD_KEY] });
    expect(new Set(await both.credentials.list())).toEqual(new Set([replaced, { ...SECOND, storeIds: [] }]));
    expect(await both.reencryptSecrets()).toBe(1);
    await both.close();
    const after = await openLedger(url, { secretKeys: [NEW_KEY] });
    expect(await after.credentials.list()).toHaveLength(2);
    await after.close();
  });
}

/** The last change, which was to move "hats" from the first credential to the second, ended after its first write. */
async function writeOlderLedger(url: string): Promise<void> {
  await placeOlderLedger(url);
  const old = await openDatabase<LedgerSchema>(url);
  await sql`delete from tillkit_secrets`.execute(old.db);
  const secrets = createSecrets(old, createSecretCipher([OLD_KEY]));
  const put = (kind: string, key: string, value: unknown) => secrets.put("", kind, key, value, "new");
  await put("credential", "first", { ...FIRST, storeIds: ["hats", "shoes"], putAt: 1 });
  await put("credential", "second", { ...SECOND, storeIds: ["hats"], putAt: 2 });
  for (const store of ["hats", "shoes"]) await put("credentials-of-store", store, { live: "first" });
  await put("credentials-of-endpoint", "first", ["first"]);
  await put("credential-changes", "all", { isIndexed: true });
  await put("token", "main", "a secret that stays where it is");
  await old.close();
}

async function readRows(url: string) {
  const database = await openDatabase<object>(url);
  const secrets = await sql<{ kind: string }>`select kind from tillkit_secrets`.execute(database.db);
  const sealed = await sql`select * from tillkit_credentials`.execute(database.db);
  await database.close();
  return { secrets: secrets.rows.map(({ kind }) => kind), sealed: JSON.stringify(sealed.rows) };
}
