import type { Records } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { createRecordsIn } from "./records.ts";
import type { RecordKey, SecretCipher } from "./secret-cipher.ts";

const ROWS_PER_TRANSACTION = 100;

/** Records whose values are encrypted before they reach the database. */
export function createSecrets(database: Database<LedgerSchema>, cipher: SecretCipher): Records {
  return createRecordsIn(database, "tillkit_secrets", {
    encode: (value, recordKey) => cipher.encrypt(JSON.stringify(value), recordKey),
    decode: (text, recordKey) => JSON.parse(cipher.decrypt(text, recordKey)),
  });
}

/** Encrypts every secret under the newest key and returns how many had an older key. After a failure, call it again for the rest. */
export async function reencryptSecrets({ transaction }: Database<LedgerSchema>, cipher: SecretCipher): Promise<number> {
  let reencrypted = 0;
  let last: RecordKey = { storeId: "", kind: "", key: "" };
  for (;;) {
    const rows = await transaction(async (session) => {
      const page = await findRowsAfter(session, last);
      for (const row of page) {
        if (!cipher.usesNewestKey(row.value)) reencrypted += await reencryptRow(session, row, cipher);
      }
      return page;
    });
    const end = rows.at(-1);
    if (end === undefined) return reencrypted;
    last = { storeId: end.store_id, kind: end.kind, key: end.key };
  }
}

type Row = LedgerSchema["tillkit_secrets"];

async function findRowsAfter(session: Session, last: RecordKey): Promise<readonly Row[]> {
  return await session
    .selectFrom("tillkit_secrets")
    .selectAll()
    .where(sql<boolean>`(store_id, kind, key) > (${last.storeId}, ${last.kind}, ${last.key})`)
    .orderBy("store_id")
    .orderBy("kind")
    .orderBy("key")
    .limit(ROWS_PER_TRANSACTION)
    .execute();
}

// The version stays, because the value is the same. A row that was replaced in between has the newest key already.
async function reencryptRow(session: Session, row: Row, cipher: SecretCipher): Promise<number> {
  const { store_id: storeId, kind, key, value, version } = row;
  const recordKey = { storeId, kind, key };
  const { numUpdatedRows } = await session
    .updateTable("tillkit_secrets")
    .set({ value: cipher.encrypt(cipher.decrypt(value, recordKey), recordKey) })
    .where("store_id", "=", storeId)
    .where("kind", "=", kind)
    .where("key", "=", key)
    .where("version", "=", version)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
