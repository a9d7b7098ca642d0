import type { CredentialEntry, CredentialKey, CredentialLookup, Credentials } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import type { LedgerSchema, Session } from "../database/schema.ts";
import type { SecretCipher } from "../records/secret-cipher.ts";
import { seal, unseal } from "./sealed-key.ts";

const VERSION = "credentials";

export function createCredentials({ db, transaction }: Database<LedgerSchema>, cipher: SecretCipher): Credentials {
  const keyOf = (row: CredentialRow) => unseal(row, cipher);
  return {
    async version() {
      const query = db.selectFrom("tillkit_versions").select("version").where("name", "=", VERSION);
      return (await query.executeTakeFirst())?.version ?? 0;
    },
    find: async (by) => (await findRows(db, by).execute()).map(keyOf),
    list: async ({ storeId } = {}) => {
      const rows = await findRows(db, storeId === undefined ? null : { storeId })
        .leftJoin("tillkit_credential_stores as store", "store.credential_id", "credential.id")
        .select("store.store_id")
        .orderBy("store.store_id")
        .execute();
      const entries = new Map<string, CredentialKey & { readonly storeIds: string[] }>();
      for (const row of rows) {
        const entry = entries.get(row.id) ?? { ...keyOf(row), storeIds: [] };
        entries.set(row.id, entry);
        if (row.store_id !== null) entry.storeIds.push(row.store_id);
      }
      return [...entries.values()];
    },
    put: ({ storeIds, webhookSecrets, ...change }) =>
      transaction(async (session) => {
        // First, so that no other process changes credentials before this transaction ends.
        const version = await nextVersion(session);
        const [row] = await findRows(session, { id: change.id }).execute();
        const before = row && keyOf(row);
        if (before && (before.environment !== change.environment || before.account !== change.account))
          return "other_key";
        const ofEndpoint = await findRows(session, { endpointId: change.endpointId }).execute();
        if (ofEndpoint.some(({ environment }) => environment !== change.environment)) return "mixed_endpoint";
        const secrets = webhookSecrets === "kept" ? (before?.webhookSecrets ?? []) : webhookSecrets;
        await writeKey(session, rowOf({ ...change, webhookSecrets: secrets }, version, cipher));
        await session.deleteFrom("tillkit_credential_stores").where("credential_id", "=", change.id).execute();
        await takeStores(session, { ...change, storeIds });
        return "done";
      }),
    remove: (id) =>
      transaction(async (session) => {
        await nextVersion(session);
        await session.deleteFrom("tillkit_credential_stores").where("credential_id", "=", id).execute();
        await session.deleteFrom("tillkit_credentials").where("id", "=", id).execute();
      }),
  };
}

export type CredentialRow = LedgerSchema["tillkit_credentials"];

/** Counts the version up by `changes` and returns it. Changes of credentials wait for each other at this row. */
export async function nextVersion(session: Session, changes = 1): Promise<number> {
  const { version } = await session
    .insertInto("tillkit_versions")
    .values({ name: VERSION, version: changes })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet(({ eb }) => ({ version: eb("tillkit_versions.version", "+", changes) })),
    )
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
}

export function rowOf(key: CredentialKey, version: number, cipher: SecretCipher): CredentialRow {
  const { id, environment, endpointId } = key;
  return { id, environment, endpoint_id: endpointId, sealed: seal(key, cipher), version };
}

async function writeKey(session: Session, { id, ...columns }: CredentialRow): Promise<void> {
  await session
    .insertInto("tillkit_credentials")
    .values({ id, ...columns })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
    .execute();
}

async function takeStores(session: Session, { id, environment, storeIds }: StoresOfCredential): Promise<void> {
  for (const storeId of storeIds)
    await session
      .insertInto("tillkit_credential_stores")
      .values({ store_id: storeId, environment, credential_id: id })
      .onConflict((conflict) => conflict.columns(["store_id", "environment"]).doUpdateSet({ credential_id: id }))
      .execute();
}

type StoresOfCredential = Pick<CredentialEntry, "id" | "environment" | "storeIds">;

/** The changed last first. */
function findRows(db: Session, by: CredentialLookup | null) {
  let query = db.selectFrom("tillkit_credentials as credential").selectAll("credential");
  if (by !== null && "id" in by) query = query.where("credential.id", "=", by.id);
  if (by !== null && "endpointId" in by) query = query.where("credential.endpoint_id", "=", by.endpointId);
  if (by !== null && "storeId" in by)
    query = query.where("credential.id", "in", (stores) =>
      stores.selectFrom("tillkit_credential_stores").select("credential_id").where("store_id", "=", by.storeId),
    );
  return query.orderBy("credential.version", "desc");
}
