import { Kysely } from "kysely";
import type { Database } from "../database/database.ts";
import { readOnlyError } from "../database/database-error.ts";
import { retryWhileBusy } from "./busy.ts";
import { notOpenedError } from "./open-sqlite.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import { loadSqlite, type SqliteHandle } from "./sqlite-handle.ts";
import { assertMigrated } from "./sqlite-migrations.ts";

/** Opens a file that exists, for reading only. @throws DatabaseError `database_not_opened`, `database_busy` */
export async function openSqliteReader<Schema>(file: string): Promise<Database<Schema>> {
  const handle = await openHandle(file);
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(handle) });
  return {
    engine: "sqlite",
    db,
    urgent: db,
    transaction: () => Promise.reject(readOnlyError()),
    migrate: async (history) => assertMigrated(handle, history),
    async close() {
      await db.destroy();
      handle.close();
    },
  };
}

async function openHandle(file: string): Promise<SqliteHandle> {
  const { DatabaseSync } = await loadSqlite();
  let handle: SqliteHandle | null = null;
  try {
    const opened = new DatabaseSync(file, { readOnly: true });
    handle = opened;
    opened.exec("pragma busy_timeout = 0");
    // SQLite reads a file only when it is asked something: here it finds that the file is no database.
    await retryWhileBusy(() => opened.prepare("select 1 from sqlite_schema limit 1").all());
    return opened;
  } catch (cause) {
    handle?.close();
    throw notOpenedError(file, cause);
  }
}
