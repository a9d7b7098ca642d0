import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { checkStorable } from "../database/storable.ts";
import { isBusy, retryWhileBusy } from "./busy.ts";
import type { SqliteHandle, SqliteStatement } from "./sqlite-handle.ts";

const MAX_CACHED_STATEMENTS = 500;
const OWN_BEGIN = /^\s*begin\b/i;

type PreparedStatement = { readonly statement: SqliteStatement; readonly returnsRows: boolean };

/** The only connection, as Kysely uses it. It caches statements, because preparing a statement takes longer than running it. */
export function createSqliteConnection(handle: SqliteHandle): DatabaseConnection {
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
