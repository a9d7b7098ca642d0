import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { checkStorable } from "../database/storable.ts";
import { isBusy, retryWhileBusy } from "./busy.ts";
import type { SqliteHandle, SqliteStatement } from "./sqlite-handle.ts";

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

const MAX_CACHED_STATEMENTS = 500;
const OWN_BEGIN = /^\s*begin\b/i;

type PreparedStatement = { readonly statement: SqliteStatement; readonly returnsRows: boolean };

/** The only connection, as Kysely uses it. It caches statements, because preparing a statement takes longer than running it. */
function createSqliteConnection(handle: SqliteHandle): DatabaseConnection {
  const cache = new Map<string, PreparedStatement>();

  function prepare(sql: string): PreparedStatement {
    const cached = cache.get(sql);
    if (cached !== undefined) return cached;
    const statement = handle.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    const oldest = cache.size < MAX_CACHED_STATEMENTS ? undefined : cache.keys().next().value;
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(sql, prepared);
    return prepared;
  }

  function run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const { statement, returnsRows } = prepare(sql);
    const values = checkStorable(parameters);
    if (returnsRows) return { rows: statement.all(...values) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      try {
        return run(query);
      } catch (error) {
        // Inside a transaction a wait would be in vain: the other process may wait for this one. A caller that begins a transaction
        // by itself decides whether it waits.
        if (!isBusy(error) || handle.isTransaction || OWN_BEGIN.test(query.sql)) throw error;
      }
      return await retryWhileBusy(() => run(query));
    },
    async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
      const rows = () =>
        prepare(sql)
          .statement.iterate(...checkStorable(parameters))
          [Symbol.iterator]();
      // The first row takes the lock. The statement reads all other rows under it.
      const [iterator, first] = await retryWhileBusy(() => {
        const started = rows();
        return [started, started.next()] as const;
      });
      try {
        for (let next = first; next.done !== true; next = iterator.next()) yield { rows: [next.value as Row] };
      } finally {
        iterator.return?.();
      }
    },
  };
}

/** A first-in, first-out lock: callers acquire it one at a time, in the order in which they called `lock`. */
export type Mutex = { lock(): Promise<void>; unlock(): void };

function createMutex(): Mutex {
  const waiters: (() => void)[] = [];
  let isLocked = false;
  return {
    async lock() {
      if (isLocked) return new Promise((resolve) => waiters.push(resolve));
      isLocked = true;
    },
    unlock() {
      const next = waiters.shift();
      if (next === undefined) isLocked = false;
      else next();
    },
  };
}
