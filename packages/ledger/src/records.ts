import type { Records } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema } from "./schema.ts";

export function createRecords({ db, transaction }: Database<LedgerSchema>): Records {
  return {
    async get(storeId, kind, key) {
      const row = await db
        .selectFrom("tillkit_records")
        .select(["value", "version"])
        .where("store_id", "=", storeId)
        .where("kind", "=", kind)
        .where("key", "=", key)
        .executeTakeFirst();
      return row === undefined ? null : { value: JSON.parse(row.value), version: row.version };
    },
    put: (storeId, kind, key, value, expect) =>
      transaction(async (session) => {
        const text = JSON.stringify(value);
        const written =
          expect === "new"
            ? await session
                .insertInto("tillkit_records")
                .values({ store_id: storeId, kind, key, value: text, version: 1 })
                .onConflict((conflict) => conflict.columns(["store_id", "kind", "key"]).doNothing())
                .returning("version")
                .execute()
            : await session
                .updateTable("tillkit_records")
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
        .selectFrom("tillkit_records")
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
        value: JSON.parse(row.value),
        version: row.version,
      }));
    },
    remove: (storeId, kind, key, expect) =>
      transaction(async (session) => {
        const { numDeletedRows } = await session
          .deleteFrom("tillkit_records")
          .where("store_id", "=", storeId)
          .where("kind", "=", kind)
          .where("key", "=", key)
          .where("version", "=", expect)
          .executeTakeFirst();
        return numDeletedRows === 0n ? "stale" : "done";
      }),
    eraseStore: (storeId) =>
      transaction(async (session) => {
        await session.deleteFrom("tillkit_records").where("store_id", "=", storeId).execute();
      }),
  };
}
