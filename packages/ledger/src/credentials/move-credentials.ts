import { codeOf, type Log } from "@tillkit/core";
import type { CredentialEntry } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import type { LedgerSchema, Session } from "../database/schema.ts";
import type { SecretCipher } from "../records/secret-cipher.ts";
import { nextVersion, rowOf } from "./credentials.ts";
import { recordKeyOf } from "./sealed-key.ts";

const CREDENTIAL = "credential";
const INDEXES = ["credentials-of-store", "credentials-of-endpoint", "credential-changes"];

/**
 * Moves the credentials that an older version stored as records into their tables. A credential that no key of this process can read
 * stays where it is: the next opening with its key moves it.
 */
export async function moveCredentials(
  { db, transaction }: Database<LedgerSchema>,
  cipher: SecretCipher,
  log: Log,
): Promise<void> {
  if (!cipher.hasKey || (await findRecords(db)).length === 0) return;
  const unreadable = await transaction(async (session) => {
    // Two processes that open the ledger at once wait for each other here, and the second one finds nothing.
    await nextVersion(session, 0);
    const records = await findRecords(session);
    const read = records.map((record) => readRecord(record, cipher));
    const moved = read.filter((entry) => entry !== null).sort((left, right) => right.putAt - left.putAt);
    const newest = await nextVersion(session, moved.length);
    // The newest first: a store that several credentials name belongs to the newest, as does all that was put into the tables since.
    for (const [index, entry] of moved.entries()) {
      await addIfMissing(session, entry, rowOf(entry, newest - index, cipher));
      await removeRecords(session, CREDENTIAL, entry.id);
    }
    for (const kind of INDEXES) await removeRecords(session, kind);
    return read.filter((entry) => entry === null).length;
  });
  if (unreadable > 0) log.warn("ledger.credentials_unreadable", { count: unreadable });
}

type Stored = CredentialEntry & { readonly putAt: number };

function findRecords(db: Session) {
  return db
    .selectFrom("tillkit_secrets")
    .select(["key", "value"])
    .where("store_id", "=", "")
    .where("kind", "=", CREDENTIAL)
    .execute();
}

function readRecord({ key, value }: { readonly key: string; readonly value: string }, cipher: SecretCipher) {
  try {
    return JSON.parse(cipher.decrypt(value, recordKeyOf(key))) as Stored;
  } catch (error) {
    if (codeOf(error) === "secret_unreadable") return null;
    throw error;
  }
}

async function addIfMissing(
  session: Session,
  { id, environment, storeIds }: CredentialEntry,
  row: ReturnType<typeof rowOf>,
): Promise<void> {
  const insertedRows = await session
    .insertInto("tillkit_credentials")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .execute();
  if (insertedRows.length === 0) return;
  for (const storeId of storeIds)
    await session
      .insertInto("tillkit_credential_stores")
      .values({ store_id: storeId, environment, credential_id: id })
      .onConflict((conflict) => conflict.columns(["store_id", "environment"]).doNothing())
      .execute();
}

async function removeRecords(session: Session, kind: string, key?: string): Promise<void> {
  const ofKind = session.deleteFrom("tillkit_secrets").where("store_id", "=", "").where("kind", "=", kind);
  await (key === undefined ? ofKind : ofKind.where("key", "=", key)).execute();
}
