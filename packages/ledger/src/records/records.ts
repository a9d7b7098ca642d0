import type { Records } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema } from "../database/schema.ts";
import type { RecordKey } from "./secret-cipher.ts";

/** How values become text and back. */
export type ValueCodec = {
  encode(value: unknown, recordKey: RecordKey): string;
  decode(text: string, recordKey: RecordKey): unknown;
};

const JSON_CODEC: ValueCodec = { encode: (value) => JSON.stringify(value), decode: (text) => JSON.parse(text) };

export function createRecords(database: Database<LedgerSchema>): Records {
  return createRecordsIn(database, "tillkit_records", JSON_CODEC);
}

export function createRecordsIn(
  { db, transaction }: Database<LedgerSchema>,
  name: "tillkit_records" | "tillkit_secrets",
  { encode, decode }: ValueCodec,
): Records {
  // Both tables have the same columns; the cast lets Kysely type them as one table.
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
      return row === undefined ? null : { value: decode(row.value, { storeId, kind, key }), version: row.version };
    },
    put: (storeId, kind, key, value, expect) =>
      transaction(async (session) => {
        const text = encode(value, { storeId, kind, key });
        if (expect === "new") {
          const insertedRows = await session
            .insertInto(table)
            .values({ store_id: storeId, kind, key, value: text, version: 1 })
            .onConflict((conflict) => conflict.columns(["store_id", "kind", "key"]).doNothing())
            .returning("version")
            .execute();
          return insertedRows.length === 0 ? "stale" : "done";
        }
        const updatedRows = await session
          .updateTable(table)
          .set({ value: text, version: expect + 1 })
          .where("store_id", "=", storeId)
          .where("kind", "=", kind)
          .where("key", "=", key)
          .where("version", "=", expect)
          .returning("version")
          .execute();
        return updatedRows.length === 0 ? "stale" : "done";
      }),
    async list({ kind, storeId, after, limit }) {
      // The fallback `""` only satisfies the type, which `$if` does not narrow.
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
        value: decode(row.value, { storeId: row.store_id, kind, key: row.key }),
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
