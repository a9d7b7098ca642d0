import type { Records } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import { recordsIn } from "./records.ts";
import type { LedgerSchema, Session } from "./schema.ts";
import type { Seal } from "./seal.ts";

const ROWS_AT_ONCE = 100;

/** Records whose values are sealed before they reach the database. */
export function createSecrets(database: Database<LedgerSchema>, seal: Seal): Records {
  return recordsIn(database, "tillkit_secrets", {
    write: (value, place) => seal.close(JSON.stringify(value), place),
    read: (text, place) => JSON.parse(seal.open(text, place)),
  });
}

/** Seals everything anew that is not under the newest key. Answers how many there were; stopped halfway, it goes on. */
export async function resealSecrets({ transaction }: Database<LedgerSchema>, seal: Seal): Promise<number> {
  let resealed = 0;
  let last = { storeId: "", kind: "", key: "" };
  for (;;) {
    const rows = await transaction(async (session) => {
      const page = await rowsAfter(session, last);
      for (const row of page) if (!seal.isNewest(row.value)) resealed += await resealOne(session, row, seal);
      return page;
    });
    const end = rows.at(-1);
    if (end === undefined) return resealed;
    last = { storeId: end.store_id, kind: end.kind, key: end.key };
  }
}

type Row = LedgerSchema["tillkit_secrets"];

async function rowsAfter(session: Session, last: { storeId: string; kind: string; key: string }): Promise<Row[]> {
  return await session
    .selectFrom("tillkit_secrets")
    .selectAll()
    .where(sql<boolean>`(store_id, kind, key) > (${last.storeId}, ${last.kind}, ${last.key})`)
    .orderBy("store_id")
    .orderBy("kind")
    .orderBy("key")
    .limit(ROWS_AT_ONCE)
    .execute();
}

// The version stays: the value is the same. Whoever put another one meanwhile has sealed it with the newest key.
async function resealOne(session: Session, row: Row, seal: Seal): Promise<number> {
  const { store_id: storeId, kind, key, value, version } = row;
  const place = { storeId, kind, key };
  const { numUpdatedRows } = await session
    .updateTable("tillkit_secrets")
    .set({ value: seal.close(seal.open(value, place), place) })
    .where("store_id", "=", storeId)
    .where("kind", "=", kind)
    .where("key", "=", key)
    .where("version", "=", version)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
