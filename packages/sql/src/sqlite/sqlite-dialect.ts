import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { retryWhileBusy } from "./busy.ts";
import { createMutex } from "./mutex.ts";
import { createSqliteConnection } from "./sqlite-connection.ts";
import type { SqliteHandle } from "./sqlite-handle.ts";

/**
 * A Kysely dialect on one open handle. It replaces Kysely's own SqliteDialect, which begins transactions deferred, wakes all
 * waiters at once and prepares every statement each time.
 */
export function createSqliteDialect(handle: SqliteHandle): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => createSqliteDriver(handle),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

// SQLite can roll back DDL. Kysely's adapter denies it, and then migrations of concurrent processes fail.
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createSqliteDriver(handle: SqliteHandle): Driver {
  const connection: DatabaseConnection = createSqliteConnection(handle);
  const mutex = createMutex();
  return {
    init: async () => {},
    acquireConnection: async () => {
      await mutex.lock();
      return connection;
    },
    releaseConnection: async () => mutex.unlock(),
    // Immediate, because a transaction that begins with a read cannot start to write while another process writes.
    beginTransaction: () => retryWhileBusy(() => handle.exec("begin immediate")),
    commitTransaction: async () => handle.exec("commit"),
    rollbackTransaction: async () => handle.exec("rollback"),
    // `openSqlite` closes the handle: Kysely calls `destroy` only if it ran a statement.
    destroy: async () => {},
  };
}
