import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { createMutex } from "./mutex.ts";
import { createSqliteConnection } from "./sqlite-connection.ts";
import type { SqliteHandle } from "./sqlite-handle.ts";

/** Kysely on one open handle. Its own SqliteDialect begins deferred, wakes every waiter at once and prepares anew each time. */
export function createSqliteDialect(handle: SqliteHandle): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => createSqliteDriver(handle),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

// SQLite does roll back DDL; Kysely's adapter says no, and then concurrent first starts fail.
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createSqliteDriver(handle: SqliteHandle): Driver {
  const connection: DatabaseConnection = createSqliteConnection(handle);
  const turnstile = createMutex();
  return {
    init: async () => {},
    acquireConnection: async () => {
      await turnstile.lock();
      return connection;
    },
    releaseConnection: async () => turnstile.unlock(),
    // Immediate: a transaction that begins by reading cannot become a writer while another process writes.
    beginTransaction: async () => handle.exec("begin immediate"),
    commitTransaction: async () => handle.exec("commit"),
    rollbackTransaction: async () => handle.exec("rollback"),
    // Kysely asks for this only when it was used: whoever opened the handle closes it.
    destroy: async () => {},
  };
}
