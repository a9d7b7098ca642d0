import type { Records } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema } from "./schema.ts";
import type { Place } from "./seal.ts";

/** How values are written and read; `place` is the row. */
export type Writing = { write(value: unknown, place: Place): string; read(text: string, place: Place): unknown };

const JSON_TEXT: Writing = { write: (value) => JSON.stringify(value), read: (text) => JSON.parse(text) };

export function createRecords(database: Database<LedgerSchema>): Records {
  return recordsIn(database, "tillkit_records", JSON_TEXT);
}

/** Records in a table of this shape. */
export function recordsIn(
  { db, transaction }: Database<LedgerSchema>,
  name: "tillkit_records" | "tillkit_secrets",
  { write, read }: Writing,
): Records {
  // Two tables of one shape: to the types they are the first.
  const table = name as "tillkit_records";
  return {
    async get(storeId, kind, key) {
      const row = await db
        .selectFrom(table)
        .select(["value", "version"])
        .where("store_id", "=", storeId)
        .where("kind", "=", kind)
        .where("key", "=", key)
        .executeTakeFirst();
      return row === undefined ? null : { value: read(row.value, { storeId, kind, key }), version: row.version };
    },
    put: (storeId, kind, key, value, expect) =>
      transaction(async (session) => {
        const text = write(value, { storeId, kind, key });
        const written =
          expect === "new"
            ? await session
                .insertInto(table)
                .values({ store_id: storeId, kind, key, value: text, version: 1 })
                .onConflict((conflict) => conflict.columns(["store_id", "kind", "key"]).doNothing())
                .returning("version")
                .execute()
            : await session
                .updateTable(table)
                .set({ value: text, version: expect + 1 })
                .where("store_id", "=", storeId)
                .where("kind", "=", kind)
                .where("key", "=", key)
                .where("version", "=", expect)
                .returning("version")
                .execute();
        return written.length === 0 ? "stale" : "done";
      }),
    async list({ kind, storeId, after, limit }) {
      const rows = await db
        .selectFrom(table)
        .select(["store_id", "key", "value", "version"])
        .where("kind", "=", kind)
        .$if(storeId !== undefined, (query) => query.where("store_id", "=", storeId ?? ""))
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`(store_id, key) > (${after?.storeId}, ${after?.key})`),
        )
        .orderBy("store_id")
        .orderBy("key")
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        storeId: row.store_id,
        key: row.key,
        value: read(row.value, { storeId: row.store_id, kind, key: row.key }),
        version: row.version,
      }));
    },
    remove: (storeId, kind, key, expect) =>
      transaction(async (session) => {
        const { numDeletedRows } = await session
          .deleteFrom(table)
          .where("store_id", "=", storeId)
          .where("kind", "=", kind)
          .where("key", "=", key)
          .where("version", "=", expect)
          .executeTakeFirst();
        return numDeletedRows === 0n ? "stale" : "done";
      }),
    eraseStore: (storeId) =>
      transaction(async (session) => {
        await session.deleteFrom(table).where("store_id", "=", storeId).execute();
      }),
  };
}
